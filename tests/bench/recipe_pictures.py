#!/usr/bin/env python3
"""A part of assets/images/retina.jpg as each recipe for vessels sees it, in one labelled picture (needs Pillow).

    tests/bench/recipe_pictures.py assets/screenshots/recipes.png [--program build/bin/bankside]
    tests/bench/recipe_pictures.py assets/screenshots/stages.png --stages
        as `vessels` sees it after each of its stages
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[2]
PHOTOGRAPH = ROOT / "assets/images/retina.jpg"
SCALE = "29"
RECIPES = ["matched-1989", "matched-scaled", "matched-long", "mf-fdog", "gabor", "morlet", "line-detector", "frangi",
           "b-cosfire-2015", "b-cosfire", "b-cosfire-ends", "bar", "bar-scales", "vessels"]
STAGES = {"input": "filled, logarithm", "dark": "bright spots held down", "ridge": "bars, five widths",
          "ridges": "by local contrast", "spots": "dark spots", "points": "points in a row", "vesselness": "their sum"}
PART = (430, 420, 830, 820)  # about the fovea
AT_DISC = (150, 400, 550, 800)
SIDE, TITLE = 240, 22


def cut(stage, folder):
    """`vessels` as far as the step of that name, as a recipe file. Steps that it takes nothing from are left out."""
    recipe = json.loads((ROOT / "assets/recipes/vessels.json").read_text(encoding="utf-8"))
    kept, wanted = [], {stage}
    for step in reversed(recipe["steps"]):
        if step.get("name") in wanted or None in wanted:  # None: whatever comes before
            kept.insert(0, step)
            wanted = wanted - {None, step.get("name")} | set(step.get("takes", [None]))
    recipe["steps"] = kept
    if stage != "vesselness":
        recipe["steps"].append({"do": "restore"})
    file = Path(folder) / f"{stage}.json"
    file.write_text(json.dumps(recipe), encoding="utf-8")
    return file


def seen_by(program, recipe, folder, part=PART, black=0.5):
    """The brightest one in a thousand and above is white; the share `black` of the pixels is black."""
    out = Path(folder) / f"seen-{Path(recipe).stem}"
    subprocess.run([program, "filter", PHOTOGRAPH, "--recipe", recipe, "--scale", SCALE, "--format", "png", "--map",
                    "stretch", "--output", out, "--no-progress"], check=True, capture_output=True)
    (path,) = sorted(out.glob("*.png"))[:1]
    image = Image.open(path).crop(part).convert("I")
    values = [image.getpixel((x, y)) for y in range(image.height) for x in range(image.width)]
    ordered = sorted(values)
    low, high = ordered[int(len(ordered) * black)], ordered[len(ordered) * 999 // 1000]
    seen = Image.new("L", image.size)
    seen.putdata([max(0, min(255, (value - low) * 255 // max(1, high - low))) for value in values])
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--program", type=Path, default=ROOT / "build/bin/bankside")
    parser.add_argument("--stages", action="store_true", help="of `vessels`, not of all recipes")
    given = parser.parse_args()
    program, columns = given.program.resolve(), 4 if given.stages else 5
    part = AT_DISC if given.stages else PART
    with tempfile.TemporaryDirectory() as folder:
        parts = [("green", Image.open(PHOTOGRAPH).getchannel("G").crop(part))]
        if given.stages:
            for stage, title in STAGES.items():
                black = 0 if stage in ("input", "dark") else 0.5
                parts.append((title, seen_by(program, cut(stage, folder), folder, part, black)))
        else:
            parts += [(recipe, seen_by(program, recipe, folder)) for recipe in RECIPES]
    rows = -(-len(parts) // columns)
    sheet = Image.new("L", (columns * SIDE, rows * (SIDE + TITLE)), 255)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 14)
    for number, (title, part) in enumerate(parts):
        x, y = number % columns * SIDE, number // columns * (SIDE + TITLE)
        draw.text((x + 6, y + 3), title, font=font, fill=0)
        sheet.paste(part.resize((SIDE - 4, SIDE), Image.LANCZOS), (x, y + TITLE))
    sheet.quantize(64).save(given.picture, optimize=True)


if __name__ == "__main__":
    main()
