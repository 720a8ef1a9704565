"""`stratagem serve`: runs the web app on this machine."""

from __future__ import annotations

import dataclasses
import json
import os
import secrets
from pathlib import Path
from typing import Annotated

import typer

from stratagem.cli.options import DeviceOption, JsonOption
from stratagem.cli.output import print_line, print_note
from stratagem.core.patience import PATIENCE
from stratagem.core.reading import at_home
from stratagem.web.settings import ServerLimits, ServerSettings, default_data_folder

_LOOPBACK = "127.0.0.1"


def command(
    port: Annotated[
        int, typer.Option("--port", "-p", min=0, max=65535, help="Port; 0: any free port.")
    ] = 8000,
    host: Annotated[
        str,
        typer.Option("--host", help="Address to listen on; other machines then need the token.")
    ] = _LOOPBACK,
    token: Annotated[
        str, typer.Option("--token", envvar="STRATAGEM_TOKEN", help="Default: drawn at random "
                          "when --host leaves this machine.")
    ] = "",
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", help="Additional host name to accept.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", help="Where games are stored; default: your state "
                                  "folder.")
    ] = None,
    runs: Annotated[Path, typer.Option("--runs", help="Folder with training runs.")] = Path("runs"),
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=16, help="Number of search processes.")
    ] = 2,
    max_games: Annotated[
        int, typer.Option("--max-games", min=1, help="Maximum number of stored games.")
    ] = 500,
    max_sims: Annotated[
        int, typer.Option("--max-sims", min=1, help="Maximum simulations per search.")
    ] = 20_000,
    device: DeviceOption = "auto",
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Play, watch, analyse and monitor training in the browser."""
    from stratagem.web.serving import serve

    settings = ServerSettings(
        data=at_home(data or default_data_folder()).resolve(),
        runs=at_home(runs).resolve(),
        host=host,
        port=port,
        token=token,
        workers=min(workers, os.cpu_count() or 1),
        allowed_hosts=tuple(allow_host or ()),
        limits=ServerLimits(sessions=max_games, sims=max_sims),
    )
    if not settings.is_loopback and not token:
        settings = dataclasses.replace(settings, token=secrets.token_urlsafe(24))
    serve(settings, lambda url: _announce(url, settings.data, as_json))


def _announce(url: str, data: Path, as_json: bool) -> None:
    if as_json:
        print_line(json.dumps({"url": url, "data": str(data)}))  # in one line
        PATIENCE.mute()
        return
    print_line(f"Stratagem is at {url}")
    print_note(f"games are stored in {data}; press Ctrl-C to stop the server")
    PATIENCE.mute()  # it waits for visitors
