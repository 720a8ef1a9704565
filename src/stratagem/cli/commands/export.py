"""`stratagem export`: exports a trained network for other people or other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stratagem.cli.options import JsonOption
from stratagem.cli.output import print_json, print_line


def command(
    network: Annotated[
        str,
        typer.Argument(
            metavar="NETWORK",
            help="A run, RUN@50%, a checkpoint, or an agent with a network, e.g. best.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", help="FILE.onnx, or a new folder to share.", show_default=False)
    ],
    game: Annotated[
        str, typer.Option("--game", help="Game and scenario; default: those it was trained on.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Export a network as a folder to share, or as FILE.onnx with FILE.json."""
    from stratagem.adapters.share import find_network, share_network

    found = find_network(network, game)
    if out.suffix != ".onnx":
        page = share_network(found, out)
        if as_json:
            print_json({"folder": str(out), "page": str(page)})
        else:
            print_line(f"folder: {out}\npage: {page}")
        return
    from stratagem.adapters.onnx import export_onnx

    done = export_onnx(found.folder, found.game, out)
    if as_json:
        print_json(
            {
                "model": str(done.model),
                "description": str(done.description),
                "outputs": list(done.outputs),
                "difference": done.difference,
            }
        )
    else:
        print_line(f"model: {done.model}\ndescription: {done.description}")
        print_line(f"largest difference from PyTorch: {done.difference:.1e}")
