#!/usr/bin/env python3
"""A batch that is killed (SIGKILL) at random moments and gone on with, until it has been killed so often.

    tests/faults/kills.py build/bin/bankside --json kills.json [--kills 100] [--images 300] [--seed 1]

Every time that it comes to its end its results have to be those of an undisturbed run, and the audit clean; then it
begins anew. The moments spread over a tenth of what an undisturbed run takes, so that they fall into the start, the work
and the writing.
"""
import argparse
import json
import random
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECIPE = "--bank vessel-matched --channel green --combine max --no-responses --compression zstd"


def tree(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


class Batch:
    def __init__(self, program, folder, name):
        self.program = program
        self.manifest = folder / f"{name}.jsonl"
        self.output = folder / name
        self.call("plan", folder / "in", self.output, "--manifest", self.manifest, *RECIPE.split())
        self.words = [program, "batch", "run", "--manifest", self.manifest, "--threads", "2", "--no-progress"]

    def call(self, *words):
        return subprocess.run([self.program, "batch", *words], check=True, capture_output=True, text=True).stdout

    def run(self):
        subprocess.run(self.words, check=True, capture_output=True)

    def killed_after(self, seconds):
        """Whether it was; False: it came to its end."""
        child = subprocess.Popen(self.words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            child.kill()
        code = child.wait()
        if code not in (0, -9):
            raise SystemExit(f"after a kill the run ends with {code}")
        return code != 0

    def require(self, expected):
        audit = self.call("audit", "--manifest", self.manifest, "--verify-done", "size")
        if tree(self.output) != expected:
            raise SystemExit("the results are not those of an undisturbed run")
        return audit.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--images", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    program = chosen.program.resolve()
    kills = ends = left = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([program, "phantom", "--size", "256", "--output", folder / "made"], check=True, capture_output=True)
        picture = (folder / "made/phantom.png").read_bytes()
        for i in range(chosen.images):
            file = folder / f"in/{i % 3}/{i}.png"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(picture)
        undisturbed = Batch(program, folder, "undisturbed")
        start = time.perf_counter()
        undisturbed.run()
        longest = (time.perf_counter() - start) / 10
        expected = tree(undisturbed.output)
        while kills < chosen.kills:
            batch = Batch(program, folder, f"killed{ends}")
            while kills < chosen.kills and batch.killed_after(chance.uniform(0, longest)):
                kills += 1
                left += any(path.endswith(".part") for path in tree(batch.output)) if batch.output.is_dir() else 0
            batch.run()
            audit = batch.require(expected)
            ends += 1
            print(f"{kills} kills, {ends} times at its end: {audit}", flush=True)
    outcome = {"bankside": "kills", "images": chosen.images, "kills": kills, "runs_to_the_end": ends,
               "kills_that_left_a_part_file": left, "trees_that_differ": 0, "seed": chosen.seed}
    chosen.json.write_text(json.dumps(outcome, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
