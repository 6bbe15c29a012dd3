#!/usr/bin/env python3
"""bankside.ndimage beside scipy.ndimage, and scikit-image's gabor with ours beneath it, on one core.

    PYTHONPATH=build/python tests/bench/python_beside.py --json beside.json [--build build] [--rounds 7]

Pixels are noise, 1411 x 1411 of float32; weights are dense and of no low rank. Results are compared before they are
timed; the two take turns, and of each the least processor time counts, so that a busy machine wrongs neither. Needs
NumPy, SciPy and scikit-image.
"""
import argparse
import json
import math
import os
import time
from pathlib import Path

from preload import ROOT, environment_of

SIDE = 1411
SIZES = (3, 5, 7, 9, 11, 15, 21, 31)


def beside(ours, theirs, rounds, what):
    import numpy

    mine, expected = ours(), theirs()
    largest = float(abs(numpy.asarray(expected)).max())
    error = float(abs(numpy.asarray(mine, "float64") - expected).max())
    if not error <= 1e-5 * largest:
        raise SystemExit(f"{what}: results differ by {error:g} of {largest:g}")
    seconds = {ours: [], theirs: []}
    for turn in range(rounds):
        for call in (ours, theirs):
            # The slow one is asked less often: what disturbs it is a smaller part of it.
            if call is theirs and turn % 3 and seconds[theirs][0] > 0.5:
                continue
            start = time.process_time()
            call()
            seconds[call].append(time.process_time() - start)
    mine, expected = min(seconds[ours]), min(seconds[theirs])
    return {"what": what, "ours_ms": mine * 1e3, "theirs_ms": expected * 1e3, "times": expected / mine}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path, required=True)
    given = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    import numpy
    import scipy
    import scipy.ndimage as theirs
    import skimage.filters

    import bankside.ndimage as ours

    random = numpy.random.default_rng(7)
    image = random.random((SIDE, SIDE), numpy.float32)
    rows = []
    for size in SIZES:
        weights = random.random((size, size)) - 0.5
        rows.append({"size": size, **beside(lambda: ours.correlate(image, weights),
                                            lambda: theirs.correlate(image, weights), given.rounds, "correlate")})
        print(rows[-1], flush=True)
    for what, call in (("gaussian_filter, sigma 3", lambda m: m.gaussian_filter(image, 3.0)),
                       ("sobel", lambda m: m.sobel(image)), ("laplace", lambda m: m.laplace(image)),
                       ("uniform_filter, 9", lambda m: m.uniform_filter(image, 9))):
        rows.append(beside(lambda: call(ours), lambda: call(theirs), given.rounds, what))
        print(rows[-1], flush=True)

    gabor = __import__("skimage.filters._gabor", fromlist=["ndi"])
    plain = gabor.ndi

    def filtered(module):
        gabor.ndi = module
        try:
            return skimage.filters.gabor(image, frequency=0.1)
        finally:
            gabor.ndi = plain

    rows.append(beside(lambda: filtered(ours), lambda: filtered(theirs), given.rounds, "skimage gabor, frequency 0.1"))
    print(rows[-1], flush=True)
    logs = [math.log(row["times"]) for row in rows if row["what"] == "correlate"]
    report = {"bankside": "python-beside", "schema_version": 1, "environment": environment_of(given.build.resolve()),
              "scipy": scipy.__version__, "skimage": skimage.__version__,
              "command": "PYTHONPATH=build/python python3 tests/bench/python_beside.py --json beside.json",
              "correlate_geometric_mean": math.exp(sum(logs) / len(logs)), "rows": rows}
    given.json.write_text(json.dumps(report) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
