#!/usr/bin/env python3
"""The banks for textures as small pictures, zero in the middle of grey, in one labelled picture (needs Pillow).

    tests/bench/bank_pictures.py assets/screenshots/texture-banks.png [--program build/bin/bankside]
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[2]
BANKS = {  # a title, and the banks whose filters stand under it
    "leung-malik": ["leung-malik"],
    "schmid": ["schmid"],
    "those behind mr8": ["leung-malik:sigma=1/2/4,kinds=edges", "leung-malik:sigma=1/2/4,kinds=bars",
                         "gaussian:sigma=10", "log:sigma=10"],
    "laws": ["laws"],
    "steerable, of order 1 to 4": [f"steerable:order={order}" for order in (1, 2, 3, 4)],
    "log-gabor": ["log-gabor"],
}
SIDE, COLUMNS, TITLE = 36, 25, 20


def filters(program, bank, folder):
    file = Path(folder) / "bank.json"
    subprocess.run([program, "banks", "export", bank, file, "--force"], check=True, capture_output=True)
    return json.loads(file.read_text(encoding="utf-8"))["filters"]


def tile(taps):
    """[height][width] of a filter: the largest magnitude is black or white."""
    width, height = taps["width"], taps["height"]
    values = taps["taps"]
    largest = max(map(abs, values)) or 1
    picture = Image.new("L", (width, height))
    picture.putdata([round(127.5 + 127.5 * value / largest) for value in values])
    way = Image.NEAREST if max(width, height) <= 9 else Image.LANCZOS
    scale = (SIDE - 2) / max(width, height)
    return picture.resize((max(1, round(width * scale)), max(1, round(height * scale))), way)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--program", type=Path, default=ROOT / "build/bin/bankside")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = {title: [tile(f) for bank in banks for f in filters(given.program.resolve(), bank, folder)]
                for title, banks in BANKS.items()}
    height = sum(TITLE + -(-len(tiles) // COLUMNS) * SIDE for tiles in rows.values())
    sheet = Image.new("L", (COLUMNS * SIDE, height), 255)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 13)
    y = 0
    for title, tiles in rows.items():
        draw.text((2, y + 3), title, font=font, fill=0)
        y += TITLE
        for number, part in enumerate(tiles):
            left, top = number % COLUMNS * SIDE, y + number // COLUMNS * SIDE
            sheet.paste(part, (left + (SIDE - 2 - part.width) // 2, top + (SIDE - 2 - part.height) // 2))
        y += -(-len(tiles) // COLUMNS) * SIDE
    sheet.quantize(64).save(given.picture, optimize=True)


if __name__ == "__main__":
    main()
