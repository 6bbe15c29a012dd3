#!/usr/bin/env python3
"""A part of assets/images/retina.jpg as each recipe for vessels sees it, in one labelled picture (needs Pillow).

    tests/bench/recipe_pictures.py assets/screenshots/recipes.png [--program build/bin/bankside]
"""
import argparse
import subprocess
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[2]
PHOTOGRAPH = ROOT / "assets/images/retina.jpg"
SCALE = "29"
RECIPES = ["matched-1989", "matched-scaled", "matched-long", "mf-fdog", "gabor", "morlet", "line-detector", "frangi",
           "b-cosfire-2015", "b-cosfire", "b-cosfire-ends", "bar", "bar-scales", "vessels"]
PART = (430, 420, 830, 820)  # beside the optic disc
SIDE, COLUMNS, TITLE = 240, 5, 22


def seen_by(program, recipe, folder):
    """The brightest one in a thousand and above is white, the median and below black."""
    out = Path(folder) / recipe
    subprocess.run([program, "filter", PHOTOGRAPH, "--recipe", recipe, "--scale", SCALE, "--format", "png", "--map",
                    "stretch", "--output", out, "--no-progress"], check=True, capture_output=True)
    (path,) = sorted(out.glob("*.png"))[:1]
    image = Image.open(path).crop(PART).convert("I")
    values = [image.getpixel((x, y)) for y in range(image.height) for x in range(image.width)]
    ordered = sorted(values)
    low, high = ordered[len(ordered) // 2], ordered[len(ordered) * 999 // 1000]
    seen = Image.new("L", image.size)
    seen.putdata([max(0, min(255, (value - low) * 255 // max(1, high - low))) for value in values])
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--program", type=Path, default=ROOT / "build/bin/bankside")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        parts = [("green", Image.open(PHOTOGRAPH).getchannel("G").crop(PART))]
        parts += [(recipe, seen_by(given.program.resolve(), recipe, folder)) for recipe in RECIPES]
    rows = -(-len(parts) // COLUMNS)
    sheet = Image.new("L", (COLUMNS * SIDE, rows * (SIDE + TITLE)), 255)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 14)
    for number, (title, part) in enumerate(parts):
        x, y = number % COLUMNS * SIDE, number // COLUMNS * (SIDE + TITLE)
        draw.text((x + 6, y + 3), title, font=font, fill=0)
        sheet.paste(part.resize((SIDE - 4, SIDE), Image.LANCZOS), (x, y + TITLE))
    sheet.quantize(64).save(given.picture, optimize=True)


if __name__ == "__main__":
    main()
