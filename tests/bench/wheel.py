#!/usr/bin/env python3
"""The wheel in an environment that has nothing else: its size, what an import takes, and that the module's tests pass.

    tests/bench/wheel.py --json wheel.json [--wheel bankside.whl]

Without --wheel pip builds one from python/, which takes minutes. First the tests run without NumPy; then with NumPy and mypy,
which reads the types of the package as it is installed (`mypy --strict`). An import's time is processor time, the least of
sixty: what disturbs only adds.
"""
import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMPORT = "import time; a = time.process_time(); import bankside; print((time.process_time() - a) * 1e3)"
TESTS = ("module", "errors", "exchange", "call", "threads", "pickle")


def ran(*command, folder):
    """What a command says, started where nothing of the source can be imported."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"{command}: {done.stdout}{done.stderr}")
    return done


def tests_passed(python, folder):
    said = [ran(python, "-B", ROOT / f"python/tests/{test}_test.py", folder=folder).stderr for test in TESTS]
    skipped = sum(int(number) for text in said for number in re.findall(r"skipped=(\d+)", text))
    return sum(int(re.search(r"Ran (\d+) tests", text)[1]) for text in said) - skipped


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path)
    parser.add_argument("--json", type=Path, required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ran(sys.executable, "-m", "venv", "clean", folder=folder)
        python = f"{folder}/clean/bin/python"
        if given.wheel is None:
            ran(python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", folder, ROOT / "python", folder=folder)
            given.wheel = next(Path(folder).glob("*.whl"))
        ran(python, "-m", "pip", "install", given.wheel.resolve(), folder=folder)
        where = Path(ran(python, "-c", "import bankside; print(bankside.__file__)", folder=folder).stdout.strip()).parent
        core = next(where.glob("_core*.so"))
        needed = re.findall(r"NEEDED.*\[(.*)\]", ran("readelf", "-d", core, folder=folder).stdout)
        row = {
            "wheel": given.wheel.name, "wheel_size": given.wheel.stat().st_size,
            "installed_size": sum(file.stat().st_size for file in where.rglob("*") if file.suffix != ".pyc" and file.is_file()),
            "import_ms": min(float(ran(python, "-c", IMPORT, folder=folder).stdout) for _ in range(60)),
            "libraries": " ".join(needed), "tests_alone": tests_passed(python, folder),
        }
        ran(python, "-m", "pip", "install", "numpy", "mypy", folder=folder)
        row["tests_with_numpy_and_mypy"] = tests_passed(python, folder)
    report = {"bankside": "wheel", "schema_version": 1, "command": "tests/bench/wheel.py --json wheel.json",
              "environment": {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}"}, "rows": [row]}
    given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(row))


if __name__ == "__main__":
    main()
