"""What fuzzers reached: tests/fuzz/run.py."""
import json

from figures.registry import figure
from figures.report import ROOT

KEPT = "../../fuzz/outcome"
COMMAND = "python3 tests/fuzz/run.py build-fuzz/bin --json tests/fuzz/outcome.json"


def parsers():
    return json.loads((ROOT / "tests/fuzz/outcome.json").read_text(encoding="utf-8"))["parsers"].values()


def total(key):
    return sum(parser[key] for parser in parsers())


def late(key):
    return sum(parser["last_tenth"][key] for parser in parsers())


for name, make in {
        "fuzz-parsers": lambda: f"{len(parsers())}",
        "fuzz-minutes": lambda: f"{total('processor_seconds') / 60:,.0f} minutes",
        "fuzz-least": lambda: f"{min(parser['processor_seconds'] for parser in parsers()) / 60:.1f} minutes",
        "fuzz-executions": lambda: f"{total('executions') / 1e6:,.0f} million",
        "fuzz-edges": lambda: f"{total('edges'):,}",
        "fuzz-late-inputs": lambda: f"{late('inputs'):,}",
        "fuzz-late-edges": lambda: f"{late('edges'):,}",
        "fuzz-late-still": lambda: f"{sum(parser['last_tenth']['edges'] == 0 for parser in parsers())}",
}.items():
    figure(name, KEPT, make, COMMAND)
