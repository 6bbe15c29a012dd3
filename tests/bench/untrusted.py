#!/usr/bin/env python3
"""What `--untrusted` costs over a folder of photographs: the same command with and without it, in turns.

    python3 tests/bench/untrusted.py --json untrusted.json [--program build/bin/bankside] [--photograph FILE.jpg]
                                     [--copies 100] [--rounds 9]

Everything lies in memory (/dev/shm). The cost is of paired rounds: in time, and in processor time with that of all
processes, which a machine that is busy otherwise changes less.
"""
import argparse
import json
import shutil
import statistics
import tempfile
from pathlib import Path

from folder import CORES, JOB, ROOT, Bankside

PHOTOGRAPH = ROOT / "assets/images/retina.jpg"


def cost_of(plain, sandboxed, which):
    ratios = sorted(theirs[which] / mine[which] - 1 for mine, theirs in zip(plain.samples, sandboxed.samples))
    quarter = len(ratios) // 4
    return {"median": statistics.median(ratios), "low": ratios[quarter], "high": ratios[-1 - quarter]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "build/bin/bankside")
    parser.add_argument("--photograph", type=Path, default=PHOTOGRAPH)
    parser.add_argument("--copies", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", type=Path, required=True)
    chosen = parser.parse_args()
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as name:
        folder = Path(name)
        (folder / "in").mkdir()
        for i in range(chosen.copies):
            shutil.copy(chosen.photograph, folder / f"in/{i:04}{chosen.photograph.suffix}")
        plain = Bankside("plain", chosen.program, JOB, folder)
        sandboxed = Bankside("untrusted", chosen.program, JOB + " --untrusted", folder)
        environment = plain.run()
        plain.samples.clear()
        for turn in range(chosen.rounds):
            for contender in (plain, sandboxed) if turn % 2 == 0 else (sandboxed, plain):
                contender.run()
    environment["cores"] = CORES
    report = {"bankside": "untrusted", "schema_version": 1, "environment": environment,
              "command": f"python3 tests/bench/untrusted.py --copies {chosen.copies} --rounds {chosen.rounds}",
              "job": JOB, "photograph": chosen.photograph.name, "copies": chosen.copies, "rounds": chosen.rounds,
              "complete": True,
              "rows": [{"cost": cost, **cost_of(plain, sandboxed, which)}
                       for which, cost in enumerate(("time", "processor time"))]}
    chosen.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    for row in report["rows"]:
        print(f"{row['cost']}: {row['median']:+.1%} ({row['low']:+.1%} to {row['high']:+.1%})")


if __name__ == "__main__":
    main()
