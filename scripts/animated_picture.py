"""Make the README's animation: a game with the search's view of every position.

    python scripts/animated_picture.py [--game battlefield/default] [--out docs/pictures/search.gif]

Starts its own server, lets `best` play a search without a network, analyses every decision, steps
through the game on the Analyse screen and joins the screenshots.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from screens import ROOT, Studio, finished, studio, wait_for_graph

VIEWPORT = {"width": 1180, "height": 660}
WIDTH = 900  # of the picture, in pixels
COLOURS = 160
FRAME = 1300  # milliseconds that a position stays
LAST = 3500  # and the last one
LARGEST = 1_500_000  # bytes
TOP = 44  # height of the page's bar, which is cut off


def frames(shop: Studio, table: str, visits: int) -> list[Any]:
    """A picture of every position, with the visits of the search on the board."""
    from PIL import Image

    shop.ask(f"tables/{table}/graph", {"maxVisits": visits})
    wait_for_graph(shop, table)
    plies = shop.ask(f"tables/{table}")["plies"]
    taken = []
    with shop.page(VIEWPORT) as page:
        page.add_init_script(
            f"localStorage['stratagem.visits'] = '{visits}';"
            "localStorage['stratagem.engine'] = 'false'"
        )
        for ply in range(plies + 1):
            page.goto(f"{shop.address}/g/{table}/analyse?ply={ply}")
            page.wait_for_selector(".scene .shapes")
            if ply < plies:
                page.wait_for_selector(".candidates tbody tr")
            page.wait_for_timeout(300)
            shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            shot = shot.crop((0, TOP, shot.width, shot.height))
            taken.append(shot.resize((WIDTH, round(shot.height * WIDTH / shot.width))))
    return taken


def write(pictures: list[Any], file: Path) -> None:
    """One palette for all, so that what does not move costs nothing."""
    from PIL import Image

    palette = pictures[len(pictures) // 2].quantize(COLOURS, Image.Quantize.MEDIANCUT)
    flat = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in pictures]
    file.parent.mkdir(parents=True, exist_ok=True)
    flat[0].save(
        file, save_all=True, append_images=flat[1:], loop=0, optimize=True,
        duration=[FRAME] * (len(flat) - 1) + [LAST],
    )  # fmt: skip
    size = file.stat().st_size
    sys.stdout.write(f"{file}: {len(flat)} positions, {size // 1024} kB\n")
    if size > LARGEST:
        sys.exit(f"larger than {LARGEST // 1000} kB: choose another game or opponent")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="battlefield/default")
    parser.add_argument("--opponent", default="mcts:none?sims=200")
    parser.add_argument("--visits", type=int, default=200)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures" / "search.gif")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as runs, studio(Path(runs), "") as shop:
        table = finished(shop, given.game, "best", given.opponent)
        write(frames(shop, table, given.visits), given.out)


if __name__ == "__main__":
    main()
