"""Reports of `bankside bench` as they are kept: packed to be read here, plain as the program writes them."""
import functools
import json
import math
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "tests/bench/results"

PROBLEM = re.compile(
    r"c(?P<channels>\d+)h(?P<height>\d+)w(?P<size>\d+)-f(?P<filter_count>\d+)k(?P<filter_size>\d+)-(?P<border>\w+)-"
    r"(?P<type>\w+):(?P<dst_type>\w+)-(?P<combine>\w+)"
)


def unpacked(rows, columns):
    """Rows as objects: a packed report names its columns once, and has a list a row."""
    return [dict(zip(columns, row)) for row in rows] if columns else rows


def with_problem(row):
    """The row with the parts of its problem's name as fields, sizes as numbers."""
    match = PROBLEM.fullmatch(row.get("problem") or "")
    if not match:
        return row
    parts = {key: int(value) if value.isdigit() else value for key, value in match.groupdict().items()}
    return {**parts, **row}


@functools.cache
def report(name):
    """The kept report tests/bench/results/NAME.json, its rows as objects."""
    with open(RESULTS / f"{name}.json", encoding="utf-8") as file:
        content = json.load(file)
    content["rows"] = unpacked(content["rows"], content.pop("columns", None))
    content["rows"] = [with_problem(row) for row in content["rows"]]
    return content


def rows(name, **wanted):
    """Rows of a report whose fields are as wanted: a value, or a tuple of values that are all right."""
    def right(row):
        return all(row.get(k) in v if isinstance(v, tuple) else row.get(k) == v for k, v in wanted.items())

    return [row for row in report(name)["rows"] if right(row)]


def row(name, **wanted):
    """The one row that is wanted."""
    found = rows(name, **wanted)
    if len(found) != 1:
        raise LookupError(f"{name}.json has {len(found)} rows of {wanted}")
    return found[0]


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))
