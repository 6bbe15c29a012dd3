"""What every step of a recipe costs where its maps are: on the device, or with --engine cpu.

recipe_maps.py BANKSIDE OUT.json [BEFORE]: over made photographs of 3504 x 2336 and 999 x 960 pixels, the medians of six
images that one process runs after two others. BEFORE is another build's program, for its totals alone. Says how far
results of the device and the CPU lie apart.
"""
import array
import json
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile

PHOTOGRAPHS = [("3504 x 2336", 3504, 2336, 54), ("999 x 960", 999, 960, 31)]
RECIPE, IMAGES, WARM = "vessels", 8, 2


def run(*words):
    subprocess.run([str(word) for word in words], check=True, capture_output=True)


def pixels_of(file):
    """Of a .npy file of f32."""
    data = file.read_bytes()
    values = array.array("f")
    values.frombytes(data[10 + struct.unpack("<H", data[8:10])[0]:])
    return values


def photographs(program, folder, width, height):
    """A phantom's green channel in the middle of black, several times."""
    side = min(width, height)
    run(program, "phantom", "--output", folder, "--size", side, "--seed", 3)
    run(program, "filter", folder / "phantom.png", "--bank", "gaussian:sigma=0.3,size=1", "--channel", "green",
        "--engine", "cpu", "--format", "npy", "--output", folder / "green")
    green = pixels_of(next((folder / "green").glob("*.npy")))
    left, top = (width - side) // 2, (height - side) // 2
    picture = bytearray(width * height)
    for y in range(side):
        at = (y + top) * width + left
        picture[at:at + side] = bytes(min(255, max(0, round(v))) for v in green[y * side:(y + 1) * side])
    files = [folder / f"photograph{i}.pgm" for i in range(IMAGES)]
    for file in files:
        file.write_bytes(b"P5 %d %d 255\n" % (width, height) + picture)
    return files


def report(program, files, scale, engine, folder):
    run(program, "filter", *files, "--recipe", RECIPE, "--scale", scale, "--channel", "all", "--engine", engine, "--format",
        "npy", "--output", folder, "--report", folder.with_suffix(".json"))
    return json.loads(folder.with_suffix(".json").read_text())


def steps_of(image):
    """(stage, what, where, us) of everything that computes."""
    rows = [(o["stage"], o["does"], o["device"], o["us"]) for o in image.get("operations", [])]
    rows += [(s["stage"], f"{s['problem']} by {s['variant'].split(';')[0]}", s["device"], s["compute_us"])
             for s in image["steps"]]
    if image["combine_us"]:
        rows.append((0, "combines of banks", "", image["combine_us"]))
    return rows


def total(image):
    return image["operation_us"] + image["combine_us"] + sum(s["compute_us"] for s in image["steps"])


def apart(one, other):
    largest, count = 0.0, 0
    for a, b in zip(pixels_of(next(one.glob("*.npy"))), pixels_of(next(other.glob("*.npy")))):
        count += a != b
        largest = max(largest, abs(a - b))
    return largest, count


def main():
    program, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    before = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
    kept = {"bankside": "recipe-maps", "schema_version": 1,
            "rule": f"medians of {IMAGES - WARM} images after {WARM} others in one process; compute: all steps, without copies",
            "command": "tests/bench/recipe_maps.py build/bin/bankside OUT.json",
            "columns": ["picture", "engine", "stage", "what", "device", "us"], "rows": [], "totals": [], "apart": []}
    with tempfile.TemporaryDirectory() as name:
        for picture, width, height, scale in PHOTOGRAPHS:
            folder = pathlib.Path(name) / f"{width}"
            folder.mkdir()
            files = photographs(program, folder, width, height)
            for label, by, engine in [("auto", program, "auto"), ("cpu", program, "cpu"), ("auto before", before, "auto")]:
                if by is None:
                    continue
                found = report(by, files, scale, engine, folder / label.replace(" ", "-"))
                images = found["images"][WARM:]
                if label != "auto before":
                    kept["environment"] = found["environment"]
                    kept["rows"] += [[picture, label, *rows[0][:3], round(statistics.median(r[3] for r in rows), 1)]
                                     for rows in zip(*map(steps_of, images))]
                copies = [i.get("map_copies_us") or {"upload": 0, "download": 0} for i in images]
                kept["totals"].append({"picture": picture, "engine": label,
                                       "compute_us": round(statistics.median(map(total, images)), 1),
                                       "upload_us": round(statistics.median(c["upload"] for c in copies), 1),
                                       "download_us": round(statistics.median(c["download"] for c in copies), 1),
                                       "wall_us_an_image": round(found["stages"]["wall_us"] / IMAGES),
                                       "maps_instead": images[0].get("maps_instead")})
                print(kept["totals"][-1])
            largest, count = apart(folder / "auto", folder / "cpu")
            kept["apart"].append({"picture": picture, "largest": largest, "pixels": count, "of": width * height})
            print(kept["apart"][-1])
            out.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
