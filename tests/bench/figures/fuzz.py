"""What fuzzers reached: tests/fuzz/run.py."""
from figures.registry import figure
from figures.report import rows

KEPT = "../../fuzz/outcome"
COMMAND = "python3 tests/fuzz/run.py build-fuzz/bin --json tests/fuzz/outcome.json"


def total(key):
    return sum(parser[key] for parser in rows(KEPT))


def late(key):
    return sum(parser["last_tenth"][key] for parser in rows(KEPT))


for name, make in {
        "fuzz-parsers": lambda: f"{len(rows(KEPT))}",
        "fuzz-minutes": lambda: f"{total('processor_seconds') / 60:,.0f} minutes",
        "fuzz-least": lambda: f"{min(parser['processor_seconds'] for parser in rows(KEPT)) / 60:.1f} minutes",
        "fuzz-executions": lambda: f"{total('executions') / 1e6:,.0f} million",
        "fuzz-edges": lambda: f"{total('edges'):,}",
        "fuzz-late-inputs": lambda: f"{late('inputs'):,}",
        "fuzz-late-edges": lambda: f"{late('edges'):,}",
        "fuzz-late-still": lambda: f"{sum(parser['last_tenth']['edges'] == 0 for parser in rows(KEPT))}",
}.items():
    figure(name, KEPT, make, COMMAND)
