#!/usr/bin/env python3
"""The nf-core module without Nextflow: its structure, and its own script run as Nextflow would run it.

    nf_core_module.py BANKSIDE

Images and recipe are links in a task's folder, Groovy's values are put in, bash runs it with -euo pipefail. What the
module promises as outputs has to be there. Its nf-test needs Nextflow.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "packages/nf-core/bankside/batch"
VALUES = {"prefix": "study", "recipe": "recipe.json", "args": "", "task.cpus": "1", "task.process": "BANKSIDE_BATCH",
          "task.memory.toMega().intdiv(2)": "512", "meta.id": "study"}


def part(text, name):
    """What stands behind `name:` in the process, up to the next such word."""
    found = re.search(rf"^    {name}:\n(.*?)(?=^    \w+:\n|^}})", text, re.M | re.S)
    assert found, f"the module has no {name}:"
    return found.group(1)


def filled(text):
    """Groovy's interpolation, and what is left of its escapes."""
    def value(match):
        assert match.group(1) in VALUES, f"nobody gives the module {match.group(1)}"
        return VALUES[match.group(1)]
    return re.sub(r"(?<!\\)\$\{([^}]*)\}", value, text).replace("\\\\", "\\").replace("\\$", "$")


def script_of(text, name):
    return filled(re.search(r'"""(.*?)"""', part(text, name), re.S).group(1))


def outputs(text):
    """Name by name, the patterns of its files."""
    found = {}
    for line in part(text, "output").strip().splitlines():
        name = re.search(r"emit: (\w+)", line).group(1)
        found[name] = [filled(pattern) for pattern in re.findall(r'path\("([^"]+)"\)', line)]
    return found


def require_structure(text):
    assert re.match(r"process BANKSIDE_BATCH \{\n", text), "the process is named after tool and command"
    for directive in (r'tag "\$meta\.id"', r"label 'process_\w+'", r'container "[^"]+"'):
        assert re.search(rf"^    {directive}$", text, re.M), f"there is no {directive}"
    for name in ("input", "output", "when", "script", "stub"):
        part(text, name)
    assert "task.ext.args" in part(text, "script") and "task.ext.prefix" in part(text, "script")
    assert "topic: versions" in part(text, "output"), "its version goes to the topic"
    assert sorted(outputs(text)) == ["report", "results", "table", "versions_bankside"]


def require_description(text):
    try:
        import yaml  # pylint: disable=import-outside-toplevel
    except ImportError:
        print("no yaml: meta.yml is not looked at")
        return
    meta = yaml.safe_load((MODULE / "meta.yml").read_text(encoding="utf-8"))
    assert meta["name"] == "bankside_batch"
    for field in ("description", "keywords", "tools", "authors", "maintainers"):
        assert meta[field], f"meta.yml says nothing of {field}"
    assert sorted(meta["output"]) == sorted(outputs(text)), "meta.yml has other outputs"
    described = [next(iter(each)) for each in meta["input"][0]] + [next(iter(meta["input"][1]))]
    taken = re.findall(r"(?:val|path)\(?\s*(\w+)", part(text, "input"))
    assert described == taken, f"meta.yml has other inputs: {described}, {taken}"


def require_test(text):
    test = (MODULE / "tests/main.nf.test").read_text(encoding="utf-8")
    for word in ('script "../main.nf"', 'process "BANKSIDE_BATCH"', 'tag "bankside/batch"', 'options "-stub"'):
        assert word in test, f"its nf-test has no {word}"
    for name in re.findall(r"\$\{projectDir\}/([^\"]+)", test):
        assert (ROOT / name).is_file(), f"its nf-test wants {name}"
    for name in re.findall(r"process\.out\.(\w+)", test):
        assert name in outputs(text), f"its nf-test asks for {name}"


def run(text, name, bankside):
    with tempfile.TemporaryDirectory() as task:
        folder = Path(task)
        (folder / "images").mkdir()
        for image in ("retina.jpg", "phantom.png"):
            os.symlink(ROOT / "assets/images" / image, folder / "images" / image)
        os.symlink(ROOT / "assets/recipes/matched-1989.json", folder / "recipe.json")
        places = f"{Path(bankside).resolve().parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": places}
        words = ["bash", "-euo", "pipefail", "-c", script_of(text, name)]
        subprocess.run(words, cwd=folder, env=environment, check=True)
        for output, patterns in outputs(text).items():
            for pattern in patterns:
                assert glob.glob(str(folder / pattern)), f"{name}: there is no {output} ({pattern})"
        if name == "stub":
            return
        results = sorted(file.name for file in (folder / "study").iterdir())
        report = json.loads((folder / "study.report.json").read_text(encoding="utf-8"))
        assert report["done"] == report["images"] == 2, report
        assert len(results) == 2 and all(result.endswith(".tiff") for result in results), results
        version = filled(re.search(r"eval\('(.*?)'\)", text).group(1))
        said = subprocess.run(["bash", "-c", version], env=environment, check=True, capture_output=True, text=True).stdout
        assert re.fullmatch(r"\d+\.\d+\.\d+\n", said), f"its version is {said!r}"


def main():
    text = (MODULE / "main.nf").read_text(encoding="utf-8")
    require_structure(text)
    require_description(text)
    require_test(text)
    for name in ("script", "stub"):
        run(text, name, sys.argv[1])
    print("the module does as it says")


if __name__ == "__main__":
    main()
