#!/usr/bin/env python3
"""How well a recipe finds vessels in photographs as other cameras would have taken them, at one fixed threshold.

  vessel_cameras.py PROGRAM DATA REPORT [--recipe R] [--beside R,...] [--threshold T] [--images N] [--only CAMERA;...]

DATA is CHASE_DB1 as for vessel_recipes.py. Each photograph is changed as `cameras()` says, with its truth and its
field of view where they move, and `bankside evaluate` judges it. Of the recipes beside it only the AUC is kept. Needs
numpy, scipy and Pillow.
"""
import argparse
import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image
from scipy import ndimage

SCALE = 30.63  # pixels per degree of the photographs
SEED = 20


class Photograph:
    """Pixels in 0 .. 255 as float, [H,W,3]; truth and field as masks."""

    def __init__(self, pixels, truth, field):
        self.pixels, self.truth, self.field = pixels, truth, field
        self.random = np.random.default_rng(SEED)
        self.scale = SCALE

    def dark_part(self):
        """How far each pixel of the green channel lies below its surround, where that is a vessel's: [H,W]."""
        green = self.pixels[..., 1]
        weight = (self.field & ~ndimage.binary_dilation(self.truth, iterations=3)).astype(float)
        around = ndimage.gaussian_filter(green * weight, 12) / (ndimage.gaussian_filter(weight, 12) + 1e-6)
        return np.maximum(around - green, 0) * self.truth

    def places(self, count, reach=0.9):
        """Inside the field, away from its rim: [count, 2] rows and columns."""
        depth = ndimage.distance_transform_edt(self.field)
        rows, columns = np.nonzero(depth > (1 - reach) * depth.max())
        chosen = self.random.integers(0, len(rows), count)
        return np.stack([rows[chosen], columns[chosen]], axis=1)

    def distance_from(self, place):
        rows, columns = np.ogrid[: self.field.shape[0], : self.field.shape[1]]
        return np.hypot(rows - place[0], columns - place[1])


def resized(factor):
    def change(p):
        size = (round(p.field.shape[1] * factor), round(p.field.shape[0] * factor))
        planes = [np.asarray(Image.fromarray(p.pixels[..., c].astype(np.float32)).resize(size, Image.Resampling.BICUBIC))
                  for c in range(3)]
        p.pixels = np.stack(planes, axis=-1)
        smooth = Image.Resampling.BOX if factor < 1 else Image.Resampling.BILINEAR
        p.truth = np.asarray(Image.fromarray(p.truth.astype(np.float32)).resize(size, smooth)) >= 0.5
        p.field = np.asarray(Image.fromarray(p.field.astype(np.float32)).resize(size, smooth)) >= 0.5
        p.scale *= factor
    return change


def said_scale(factor):
    def change(p):
        p.scale *= factor
    return change


def cropped(part, aside=0.0):
    """A smaller field: a disc of `part` of the diameter, `aside` of it off the middle."""
    def change(p):
        rows, columns = np.nonzero(p.field)
        radius = (columns.max() - columns.min()) / 2
        middle = (rows.mean(), columns.mean() + aside * radius)
        p.field = p.field & (p.distance_from(middle) < part * radius)
        p.truth = p.truth & p.field
        p.pixels = p.pixels * p.field[..., None] + (~p.field)[..., None] * 2.0
    return change


def cut(part):
    """The top and the bottom of the field are off the frame."""
    def change(p):
        rows = np.nonzero(p.field.any(axis=1))[0]
        off = round((rows[-1] - rows[0]) * (1 - part) / 2)
        keep = slice(rows[0] + off, rows[-1] - off)
        p.pixels, p.truth, p.field = p.pixels[keep], p.truth[keep], p.field[keep]
    return change


def jpeg(quality):
    def change(p):
        data = io.BytesIO()
        Image.fromarray(np.clip(np.rint(p.pixels), 0, 255).astype(np.uint8)).save(data, "JPEG", quality=quality)
        p.pixels = np.asarray(Image.open(data)).astype(float)
    return change


def blurred(sigma):
    def change(p):
        p.pixels = ndimage.gaussian_filter(p.pixels, (sigma, sigma, 0))
    return change


def noisy(deviation):
    def change(p):
        grain = p.random.normal(0, deviation, p.pixels.shape)
        p.pixels = p.pixels + grain * p.field[..., None]
    return change


def gamma(exponent):
    def change(p):
        p.pixels = 255 * np.clip(p.pixels / 255, 0, 1) ** exponent
    return change


def exposed(factor):
    def change(p):
        p.pixels = np.clip(p.pixels * factor, 0, 255)
    return change


def hazy(contrast):
    """Opaque media: a veil of the field's own brightness."""
    def change(p):
        means = p.pixels[p.field].mean(axis=0)
        p.pixels = np.where(p.field[..., None], means + contrast * (p.pixels - means), p.pixels)
    return change


def vignetted(loss):
    def change(p):
        rows, columns = np.nonzero(p.field)
        radius = (columns.max() - columns.min()) / 2
        r = p.distance_from((rows.mean() + 0.2 * radius, columns.mean() - 0.2 * radius)) / radius
        p.pixels = p.pixels * np.clip(1 - loss * r**2, 0.1, 1)[..., None]
    return change


def reddened(share):
    """A camera whose green sees red too."""
    def change(p):
        p.pixels[..., 1] = (1 - share) * p.pixels[..., 1] + share * p.pixels[..., 0]
    return change


def spots(count, smallest, largest, amount, edge):
    """Exudates (amount > 0) or haemorrhages (< 0): clusters of roundish patches, part of them over vessels."""
    def change(p):
        unit = p.scale / SCALE
        paint = np.zeros(p.field.shape)
        for place in p.places(max(1, count // 6)):
            for _ in range(6):
                at = place + p.random.normal(0, 28 * unit, 2)
                size = p.random.uniform(smallest, largest) * unit
                rows, columns = np.ogrid[: paint.shape[0], : paint.shape[1]]
                angle, stretch = p.random.uniform(0, np.pi), p.random.uniform(1, 1.8)
                u = (columns - at[1]) * np.cos(angle) + (rows - at[0]) * np.sin(angle)
                v = -(columns - at[1]) * np.sin(angle) + (rows - at[0]) * np.cos(angle)
                distance = np.hypot(u / stretch, v * stretch) - size
                paint = np.maximum(paint, 1 / (1 + np.exp(np.clip(distance / (edge * unit), -50, 50))))
        colour = np.array([0.8, 1.0, 0.5]) * amount
        p.pixels = np.clip(p.pixels + (paint * p.field)[..., None] * colour, 0, 255)
    return change


def disc_glare(amount):
    """The optic disc, which is where the green channel is brightest, overexposed with a sharp rim."""
    def change(p):
        smooth = ndimage.gaussian_filter(p.pixels[..., 1] * p.field, 15)
        place = np.unravel_index(np.argmax(smooth), smooth.shape)
        r = p.distance_from(place)
        paint = 1 / (1 + np.exp(np.clip((r - 55) / 2.5, -50, 50)))
        p.pixels = np.clip(p.pixels + amount * paint[..., None] * p.field[..., None], 0, 255)
    return change


def reflexes(share):
    """Wide vessels with a bright middle line, as in the eyes of the young."""
    def change(p):
        depth = ndimage.distance_transform_edt(p.truth)
        widest = ndimage.maximum_filter(depth, 7)
        line = (depth >= 0.65 * widest) & (widest >= 3)
        lift = ndimage.gaussian_filter(p.dark_part() * line, 0.7) * share
        p.pixels = p.pixels + lift[..., None]
    return change


def cameras():
    """Of each: a name, what it imitates, and the changes one after another."""
    stare, hrf = 18.6 / SCALE, 54.0 / SCALE
    return [
        ("as taken", "", []),
        ("18.6 a degree", "a slide scanned with 605 x 700 pixels", [resized(stare)]),
        ("13.6 a degree", "a small picture of a wide field", [resized(13.6 / SCALE)]),
        ("54 a degree", "3504 x 2336 pixels, a circle of 60 degrees", [resized(hrf)]),
        ("scale said 1/4 high", "a field taken for one of 24 degrees", [said_scale(1.25)]),
        ("scale said 1/4 low", "a field taken for one of 40 degrees", [said_scale(0.8)]),
        ("small field", "20 degrees about the middle", [cropped(0.67)]),
        ("field aside", "18 degrees beside the middle", [cropped(0.6, 0.35)]),
        ("field cut", "top and bottom off the frame", [cut(0.75)]),
        ("JPEG 40", "strong compression", [jpeg(40)]),
        ("JPEG 15", "very strong compression", [jpeg(15)]),
        ("out of focus", "blurred by 2 pixels", [blurred(2)]),
        ("noise 6", "a sensor's noise of 6 levels", [noisy(6)]),
        ("noise 15", "of 15 levels", [noisy(15)]),
        ("gamma 0.6", "a camera that brightens", [gamma(0.6)]),
        ("gamma 1.6", "one that darkens", [gamma(1.6)]),
        ("half the light", "underexposed", [exposed(0.5)]),
        ("overexposed", "1.6 times the light", [exposed(1.6)]),
        ("haze", "a cataract: 0.45 of the contrast", [hazy(0.45)]),
        ("vignette", "0.8 of the light lost at the rim", [vignetted(0.8)]),
        ("red in green", "a third of red in the green channel", [reddened(1 / 3)]),
        ("exudates", "bright lesions with hard rims", [spots(90, 2, 9, 90, 1.0)]),
        ("haemorrhages", "dark round lesions", [spots(48, 3, 12, -45, 1.5)]),
        ("disc glare", "an overexposed optic disc", [disc_glare(120)]),
        ("reflexes", "bright lines along wide vessels", [reflexes(0.8)]),
        ("STARE-like", "a scanned slide with lesions",
         [resized(stare), cut(0.85), spots(72, 2, 9, 80, 1.0), spots(24, 3, 10, -40, 1.5), hazy(0.8), noisy(4), jpeg(60)]),
        ("STARE-like, no lesions", "the same but for them", [resized(stare), cut(0.85), hazy(0.8), noisy(4), jpeg(60)]),
        ("HRF-like", "many pixels a degree, lesions, reflexes",
         [reflexes(0.5), resized(hrf), spots(36, 2, 8, 70, 1.0), noisy(5), jpeg(85)]),
        ("HRF-like, no reflexes", "the same but for them", [resized(hrf), spots(36, 2, 8, 70, 1.0), noisy(5), jpeg(85)]),
    ]


def masks(data, name):
    truth = np.asarray(Image.open(data / "truth" / f"{name}_1stHO.png").convert("L")) > 0
    (file,) = [f for f in (data / "fov").iterdir() if f.stem.startswith(name)]
    field = np.asarray(Image.open(file).convert("RGB"))[..., 0] > 0
    return truth, field


def made(data, names, changes, folder):
    """The changed photographs with their masks, in a folder. The scale of them."""
    scale = SCALE
    for kind in ("images", "truth", "fov"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(names):
        truth, field = masks(data, name)
        p = Photograph(np.asarray(Image.open(data / "images" / f"{name}.jpg")).astype(float), truth, field)
        p.random = np.random.default_rng([SEED, number])
        for change in changes:
            change(p)
        scale = p.scale
        pixels = np.clip(np.rint(p.pixels), 0, 255).astype(np.uint8)
        Image.fromarray(pixels).save(folder / "images" / f"{name}.png", compress_level=1)
        Image.fromarray(p.truth.astype(np.uint8) * 255).save(folder / "truth" / f"{name}.png")
        Image.fromarray(p.field.astype(np.uint8) * 255).save(folder / "fov" / f"{name}.png")
    return scale


def judged(program, folder, recipe, scale, threshold):
    given = [] if threshold is None else ["--threshold", str(threshold)]
    report = folder / "report.json"
    subprocess.run([program, "evaluate", "--images", folder / "images", "--truth", folder / "truth", "--fov",
                    folder / "fov", "--recipe", recipe, "--scale", f"{scale:.4f}", "--memory", "3G", *given,
                    "--json", report, "--no-progress"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.loads(report.read_text(encoding="utf-8"))


def pooled(report, point):
    (score,) = (s for s in report["scores"] if s["point"] == point and s["image"] == "pooled")
    return score


def area(report):
    return report["auc"]["pooled"]["value"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("data", type=Path)
    parser.add_argument("report")
    parser.add_argument("--recipe", default="vessels")
    parser.add_argument("--beside", default="bar-scales,b-cosfire-ends", help="other recipes, by words parted by commas")
    parser.add_argument("--threshold", type=float, help="instead of the recipe's own")
    parser.add_argument("--images", type=int, help="only so many photographs, evenly chosen")
    parser.add_argument("--only", help="only these cameras, parted by semicolons")
    parser.add_argument("--keep", type=Path, help="a folder to keep the changed photographs in, or to take them from")
    arguments = parser.parse_args()
    names = sorted(f.stem for f in (arguments.data / "images").iterdir())
    if arguments.images:
        names = names[:: -(-len(names) // arguments.images)]
    rows = []
    for camera, imitates, changes in cameras():
        if arguments.only and camera not in arguments.only.split(";"):
            continue
        with tempfile.TemporaryDirectory() as temporary:
            folder = arguments.keep / camera.replace(" ", "-").replace("/", "") if arguments.keep else Path(temporary)
            if (folder / "scale").exists():
                scale = float((folder / "scale").read_text())
            else:
                scale = made(arguments.data, names, changes, folder)
                (folder / "scale").write_text(str(scale))
            beside = {recipe: area(judged(arguments.program, folder, recipe, scale, 0))
                      for recipe in filter(None, arguments.beside.split(","))}
            report = judged(arguments.program, folder, arguments.recipe, scale, arguments.threshold)
        fixed, best = pooled(report, "threshold"), pooled(report, "best-mcc")
        rows.append({"camera": camera, "imitates": imitates, "scale": scale, "auc": area(report),
                     "threshold": fixed["threshold"], "f1": fixed["f1"], "mcc": fixed["mcc"],
                     "best_threshold": best["threshold"], "best_f1": best["f1"], "best_mcc": best["mcc"], "beside": beside})
        print(f"{camera:22} AUC {rows[-1]['auc']:.4f}  F1 {fixed['f1']:.4f}  best {best['f1']:.4f} at "
              f"{best['threshold']:.3f}", file=sys.stderr, flush=True)
    text = {"bankside": "vessel-cameras", "schema_version": 1,
            "command": "python3 tests/bench/vessel_cameras.py build/bin/bankside CHASE_DB1 report.json" +
                       (f" --images {arguments.images}" if arguments.images else ""),
            "environment": report["environment"], "photographs": len(names), "rows": rows}
    Path(arguments.report).write_text(json.dumps(text), encoding="utf-8")


if __name__ == "__main__":
    main()
