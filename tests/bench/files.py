#!/usr/bin/env python3
"""What it takes to write a photograph's response into a file, beside decoding and filtering it, on one core.

    tests/bench/files.py --json files.json [--program build/bin/bankside] [--before OTHER] [--rounds 21]

Every format, type and compression in turn, A B B A, each a run of the program on assets/images/retina.jpg, with the
times of its own report. `--before`: another build beside it, for the formats that it has without --compression.
Results go to a folder in memory (/dev/shm), so that no disk is measured; `encode` is mapping, packing and writing.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PHOTOGRAPH = ROOT / "assets/images/retina.jpg"
JOB = "--bank vessel-matched --channel green --combine max --no-responses --threads 1 --no-progress"
TYPES = {"clip": "u8", "stretch": "u16", "none": "f32"}
CELLS = [("png", kind, packed) for kind in ("stretch", "clip") for packed in ("deflate", "none")]
CELLS += [("tiff", kind, packed) for kind in ("stretch", "none") for packed in ("none", "deflate", "zstd")]
CELLS += [("npy", "none", "none")]
BEFORE = [("png", "stretch", ""), ("png", "clip", ""), ("tiff", "none", "")]


class Contender:
    def __init__(self, which, program, form, kind, packed, folder):
        self.row = {"program": which, "format": form, "type": TYPES[kind], "compression": packed}
        self.output = folder / "out"
        self.report = folder / "report.json"
        options = f"{JOB} --format {form} --map {kind}" + (f" --compression {packed}" if packed else "")
        self.words = [program, "filter", PHOTOGRAPH, *options.split(), "--output", self.output, "--report", self.report]
        self.samples = []

    def run(self):
        shutil.rmtree(self.output, ignore_errors=True)
        self.report.unlink(missing_ok=True)
        subprocess.run(self.words, check=True, capture_output=True)
        report = json.loads(self.report.read_text(encoding="utf-8"))
        image = report["images"][0]
        steps = sum(step[phase] for step in image["steps"] for phase in ("upload_us", "compute_us", "download_us"))
        filtered = steps + image["combine_us"] + image["activation_us"]
        self.samples.append((image["decode_us"], filtered, image["encode_us"]))
        self.row["file_bytes"] = (self.output / image["outputs"][0]).stat().st_size
        return report["environment"]

    def finished(self):
        decode, filtered, encode = zip(*self.samples)
        ratios = sorted((d + f + e) / (d + f) for d, f, e in self.samples)
        low, high = order_statistics(len(ratios))
        return {**self.row, "rounds": len(self.samples), "decode_us": statistics.median(decode),
                "filter_us": statistics.median(filtered), "encode_us": statistics.median(encode),
                "whole_over_read_and_filter": statistics.median(ratios), "ratio_low": ratios[low],
                "ratio_high": ratios[high]}


def order_statistics(count):
    """Indices of the interval of a median that holds it with 95 % (binomial); fewer than six: the range."""
    low, below = 0, 0.5 ** count
    term = below
    while count >= 6:
        term = term * (count - low) / (low + 1)
        if below + term > 0.025:
            break
        below += term
        low += 1
    return low, count - 1 - low


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "build/bin/bankside")
    parser.add_argument("--before", type=Path)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--json", type=Path, required=True)
    chosen = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # children keep to it
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as name:
        folder = Path(name)
        contenders = [Contender("this", chosen.program, *cell, folder) for cell in CELLS]
        if chosen.before:
            contenders += [Contender("before", chosen.before, *cell, folder) for cell in BEFORE]
        environment = contenders[0].run()
        before = contenders[-1].run()["bankside"] if chosen.before else None
        for contender in contenders:
            contender.samples.clear()
        for turn in range(chosen.rounds):
            for contender in contenders if turn % 2 == 0 else reversed(contenders):
                contender.run()
    if before:
        environment["before"] = before
    report = {"bankside": "files", "schema_version": 2, "environment": environment,
              "command": f"python3 tests/bench/files.py --rounds {chosen.rounds}" + (" --before OTHER" if before else ""),
              "complete": True, "rows": [contender.finished() for contender in contenders]}
    chosen.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    for row in report["rows"]:
        print(f"{row['program']:6} {row['format']:4} {row['type']:3} {row['compression']:7} "
              f"decode {row['decode_us'] / 1e3:5.1f} ms, filter {row['filter_us'] / 1e3:5.1f}, "
              f"encode {row['encode_us'] / 1e3:6.1f}, {row['file_bytes']} bytes, "
              f"whole {row['whole_over_read_and_filter']:.2f}")


if __name__ == "__main__":
    main()
