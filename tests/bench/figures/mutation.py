"""How many small mistakes the tests find: tests/mutation."""
from figures.numbers import percent
from figures.registry import figure, table
from figures.report import RESULTS, report, rows

KEPT = sorted(path.relative_to(RESULTS).with_suffix("").as_posix() for path in (RESULTS / "mutation").glob("*.json"))


def counted(row):
    """Mutants that are programs of their own."""
    return row["killed"] + row["work limit"] + row["survived"]


def share(some, *without):
    found = sum(r["killed"] + r["work limit"] for r in some)
    every = sum(counted(r) - sum(r[name] for name in without) for r in some)
    return percent(found / every) + " %" if every else ""


def all_rows():
    return [row for name in KEPT for row in rows(name)]


@table("mutation", *KEPT)
def mutation():
    lines = []
    every = all_rows()
    for name in dict.fromkeys(row["layer"] for row in every):
        some = [r for r in every if r["layer"] == name]
        if not sum(map(counted, some)):
            continue
        total = {key: sum(r[key] for r in some) for key in some[0] if key != "layer"}
        lines.append([f"`{name}`", str(sum(map(counted, some))), str(total["killed"] + total["work limit"]),
                      f"{total['survived']} ({total['equivalent']})", share(some), share(some, "equivalent")])
    return ["layer", "mutants", "noticed", "survived (equivalent)", "noticed of all", "of those not equivalent"], lines


def candidates():
    """Of the layers that are sampled on their own."""
    return sum(report(name)["candidates"] for name in KEPT if not name.endswith("/seed-1"))


figure("mutation-candidates", KEPT, lambda: f"{candidates():,}")
