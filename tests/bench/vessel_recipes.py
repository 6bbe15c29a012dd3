#!/usr/bin/env python3
"""How well the recipes of assets/recipes find vessels: `bankside evaluate` for each, gathered into one report.

  vessel_recipes.py PROGRAM DATA REPORT

DATA is CHASE_DB1 (CC BY 4.0, https://doi.org/10.1109/TBME.2012.2205687): images/*.jpg, truth/*_1stHO.png, fov/*.png.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ["matched-1989", "matched-scaled", "matched-long", "mf-fdog", "frangi", "gabor", "morlet", "line-detector",
           "bar", "bar-scales", "b-cosfire-2015", "b-cosfire", "b-cosfire-ends", "vessels"]
SCALE = "30.63"  # 919 pixels over a field of 30 degrees
FIELDS = ("threshold", "sensitivity", "specificity", "f1", "mcc", "cldice")


def evaluated(program, data, recipe, report):
    subprocess.run(
        [program, "evaluate", "--images", "images", "--truth", "truth/*_1stHO.png", "--observer2", "truth/*_2ndHO.png",
         "--fov", "fov", "--recipe", recipe, "--scale", SCALE, "--json", report,
         "--no-progress"],
        cwd=data, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.loads(Path(report).read_text(encoding="utf-8"))


def pooled(report, point):
    (score,) = (s for s in report["scores"] if s["point"] == point and s["image"] == "pooled")
    return {field: score[field] for field in FIELDS}


def main(program, data, kept):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for recipe in RECIPES:
            report = evaluated(Path(program).resolve(), data, ROOT / f"assets/recipes/{recipe}.json",
                               Path(folder) / "report.json")
            area = report["auc"]["pooled"]
            rows.append({"recipe": recipe, "title": report["recipe"]["title"], "auc": area["value"],
                         "auc_low": area["low"], "auc_high": area["high"], **pooled(report, "best-mcc")})
    rows.append({"recipe": "observer2", "title": "the second observer", **pooled(report, "observer2")})
    text = {"bankside": "vessel-recipes", "schema_version": 1,
            "command": "python3 tests/bench/vessel_recipes.py build/bin/bankside CHASE_DB1 report.json",
            "environment": report["environment"], "photographs": len(report["images"]), "rows": rows}
    Path(kept).write_text(json.dumps(text), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
