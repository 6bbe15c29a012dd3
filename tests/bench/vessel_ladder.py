#!/usr/bin/env python3
"""What each stage of a recipe for vessels adds: `bankside evaluate` for one rung after another.

  vessel_ladder.py PROGRAM DATA REPORT
  vessel_ladder.py --recipes FOLDER        the rungs as recipes to be read and run

DATA is CHASE_DB1 as for vessel_recipes.py. A rung is a shipped recipe, or is made here of the steps of shipped ones.
"""
import json
import sys
import tempfile
from pathlib import Path

from vessel_recipes import ROOT, evaluated, pooled

RAW = [{"do": "unit"}, {"do": "field"}, {"do": "fill", "sigma": 6, "erode": 4}]


def shipped(name):
    return json.loads((ROOT / f"assets/recipes/{name}.json").read_text(encoding="utf-8"))


def steps_of(name, first, last):
    """The steps from the one that does, or is named, `first` to the one named `last`."""
    steps = shipped(name)["steps"]
    marks = [(step.get("name"), step.get("do")) for step in steps]
    (start,) = (i for i, mark in enumerate(marks) if first in mark)
    (end,) = (i for i, mark in enumerate(marks) if last in mark)
    return steps[start:end + 1]


def banked(before, bank):
    return before + [{"name": "vesselness", "bank": bank, "combine": ["max"]}]


def by_contrast():
    """J2 over its own local root mean square."""
    ridge = steps_of("bar-scales", "unit", "vesselness")[:-1]
    ridge[-1]["name"] = "ridge"
    contrast = steps_of("vessels", "rms", "contrast")
    contrast[0]["sigma"] = 136
    return ridge + contrast + [{"name": "ridges", "do": "quotient", "takes": ["ridge", "contrast"], "floor": 1e-6}]


def with_points():
    """K and half of I, both in standard deviations."""
    points = steps_of("b-cosfire", "input", "lines")[1:]
    return [*by_contrast(), {"name": "ridges-z", "do": "standardize", "robust": 1}, *points,
            {"name": "points-z", "do": "standardize", "robust": 1},
            {"name": "vesselness", "do": "sum", "takes": ["ridges-z", "points-z"], "weights": [1, 0.5]}]


def rungs():
    """Of each: its letter, what is added, to which rung, the sketch's AUC, and a shipped recipe's name or steps."""
    log = steps_of("bar", "unit", "input")
    return [
        ("A", "matched filters as published", "", 0.8451, "matched-1989"),
        ("B", "fill outside the field", "A", 0.8473, banked(RAW, "vessel-matched")),
        ("C", "width and length by the scale", "B", 0.9159, banked(RAW, "vessel-matched:sigma=3.4,length=15.3")),
        ("D", "logarithm", "C", 0.9267, "matched-scaled"),
        ("E0", "round spots, not bars", "D", 0.8552, banked(log, "dog:sigma=2.04,ratio=2")),
        ("E1", "Frangi, six widths", "D", 0.9300, "frangi"),
        ("E2", "3/4 of the width", "D", 0.9143, banked(log, "vessel-matched:sigma=2.55,length=15.3")),
        ("E3", "MF-FDOG: held down at edges", "E2", 0.9022, "mf-fdog"),
        ("F", "line detector, eight lengths", "D", 0.9334, "line-detector"),
        ("G", "Gabor filters", "D", 0.9550, "gabor"),
        ("E", "2.3 times the length, 18 orientations", "D", 0.9526, "matched-long"),
        ("J1", "second derivative across", "E", 0.9579, "bar"),
        ("J2", "five widths, mean of them", "J1", 0.9652, "bar-scales"),
        ("K", "over the local contrast", "J2", 0.9670, by_contrast()),
        ("H", "B-COSFIRE as published: points in a row", "", 0.9426, "b-cosfire-2015"),
        ("I", "logarithm, a floor under the product", "H", 0.9593, "b-cosfire"),
        ("K2", "half of I", "K", 0.9689, with_points()),
        ("", "bright spots held down: `vessels`", "K2", None, "vessels"),
    ]


def recipe(letter, adds, made):
    return {"bankside": "recipe", "version": 4, "title": f"Rung {letter}: {adds}", "input": {"channel": "green"},
            "steps": made, "output": {"responses": False}}


def written(folder):
    """The file of every rung, in order; those that are shipped are where they are."""
    for letter, adds, _, _, made in rungs():
        file = ROOT / f"assets/recipes/{made}.json"
        if not isinstance(made, str):
            file = Path(folder) / f"{letter}.json"
            file.write_text(json.dumps(recipe(letter, adds, made), indent=1), encoding="utf-8")
        yield file


def main(program, data, kept):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for (letter, adds, to, sketch, _), file in zip(rungs(), written(folder)):
            report = evaluated(Path(program).resolve(), data, file, Path(folder) / "report")
            rows.append({"rung": letter, "adds": adds, "to": to, "auc": report["auc"]["pooled"]["value"],
                         "mcc": pooled(report, "best-mcc")["mcc"], "sketch": sketch})
            print(f"{letter:3} {adds:42} {rows[-1]['auc']:.4f} {sketch}", file=sys.stderr, flush=True)
    text = {"bankside": "vessel-ladder", "schema_version": 1,
            "command": "python3 tests/bench/vessel_ladder.py build/bin/bankside CHASE_DB1 report.json",
            "environment": report["environment"], "photographs": len(report["images"]), "rows": rows}
    Path(kept).write_text(json.dumps(text), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "--recipes":
        print(*written(sys.argv[2]), sep="\n")
    else:
        main(*sys.argv[1:])
