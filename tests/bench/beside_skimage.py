#!/usr/bin/env python3
"""Recipes beside scikit-image's `frangi` and `gabor` on one photograph of 1411 x 1411, one thread each, in turns.

  beside_skimage.py PROGRAM REPORT [ROUNDS]

Processor seconds, which other programs of the machine change little: of scikit-image's the call alone, of ours the
whole process with its files. Needs scikit-image.
"""
import json
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import skimage.io
from skimage.filters import frangi, gabor

ROOT = Path(__file__).resolve().parents[2]
PHOTOGRAPH = ROOT / "assets/images/retina.jpg"
SCALE = "31"


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ours(program, recipe):
    def run():
        with tempfile.TemporaryDirectory() as folder:
            start = children()
            subprocess.run([program, "filter", PHOTOGRAPH, "--recipe", ROOT / f"assets/recipes/{recipe}.json",
                            "--scale", SCALE, "--threads", "1", "--output", folder, "--no-progress"],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return children() - start
    return run


def theirs(call):
    def run():
        start = time.process_time()
        call()
        return time.process_time() - start
    return run


def main(program, kept, rounds="5"):
    program = Path(program).resolve()
    green = skimage.io.imread(PHOTOGRAPH)[..., 1].astype(numpy.float64) / 255
    what = {
        "scikit-image": {"frangi": ("sigmas 1 to 9, one call", theirs(lambda: frangi(green, black_ridges=True))),
                         "gabor": ("frequency 0.1, one orientation, one call", theirs(lambda: gabor(green, 0.1)))},
        "bankside": {"frangi": ("six widths, field and rim, files", ours(program, "frangi")),
                     "gabor": ("18 orientations, field and rim, files", ours(program, "gabor")),
                     "vessels": ("the whole recipe, files", ours(program, "vessels"))},
    }
    samples = {(who, name): [] for who, calls in what.items() for name in calls}
    for number in range(int(rounds)):
        order = list(samples) if number % 2 == 0 else list(samples)[::-1]
        for who, name in order:
            samples[who, name].append(what[who][name][1]())
    rows = [{"who": who, "call": name, "what": what[who][name][0], "median_s": statistics.median(times),
             "low_s": min(times), "high_s": max(times), "rounds": len(times)} for (who, name), times in samples.items()]
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    text = {"bankside": "beside-scikit-image", "schema_version": 1,
            "command": "python3 tests/bench/beside_skimage.py build/bin/bankside report.json",
            "environment": {"bankside": version, "scikit-image": skimage.__version__, "numpy": numpy.__version__,
                            "python": platform.python_version(), "processor": processor()},
            "rows": rows}
    Path(kept).write_text(json.dumps(text), encoding="utf-8")


def processor():
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


if __name__ == "__main__":
    main(*sys.argv[1:])
