"""Makes a report small enough to be kept: columns named once, a row a line, five significant digits.

Left out are columns that are empty or follow from others: the repeated command, rates and fractions of limits.
"""
import json

from figures.report import unpacked

DERIVED = {"command", "device", "megapixel_filters_per_second", "fma_fraction", "store_fraction", "floor_fraction", "bytes"}
CELL = {"size", "filter_size", "channels", "filter_count", "type", "dst_type", "combine", "border"}  # the problem's name has them
EMPTY = (None, "")
PLAIN = {"figure7-12.json"}  # a test edits its rows


def shortened(value):
    """Numbers with a fraction to five significant digits; counts as they are."""
    if isinstance(value, float):
        short = value if value.is_integer() else float(f"{value:.5g}")
        return int(short) if short.is_integer() else short
    if isinstance(value, list):
        return [shortened(v) for v in value]
    if isinstance(value, dict):
        return {k: shortened(v) for k, v in value.items()}
    return value


def columns_of(rows, named_by_problem):
    """The fields of rows in their order, but for those that are derived or empty everywhere."""
    derived = DERIVED | CELL if named_by_problem else DERIVED
    names = dict.fromkeys(name for row in rows for name in row)
    filled = {name for row in rows for name, value in row.items() if value not in EMPTY}
    return [name for name in names if name in filled and name not in derived]


def line(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def lines(values):
    """A list with an entry a line."""
    return "[" + ",".join("\n  " + line(value) for value in values) + ("\n ]" if values else "]")


def kept(path):
    """The text of the file at `path` as it is to be kept."""
    report = shortened(json.loads(path.read_text(encoding="utf-8")))
    rows = unpacked(report["rows"], report.pop("columns", None))
    names = columns_of(rows, all(row.get("problem") for row in rows))
    table = {"columns": names, "rows": [[row.get(name) for name in names] for row in rows]}
    if not rows or path.name in PLAIN:
        table = {"rows": rows}
    fields = {}
    for name, value in report.items():
        fields.update(table if name == "rows" else {name: value})
    parts = []
    for name, value in fields.items():
        listed = isinstance(value, list) and name != "columns"
        parts.append(f" {line(name)}: {lines(value) if listed else line(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"
