#!/usr/bin/env python3
"""Would a test notice? Small mistakes in core, filters and the planner, one at a time, and the tests that find them.

  mutate.py list SOURCE                        the mutants of one source
  mutate.py run BUILD REPORT [--count 160] [--seed 1] [--own]
                                               a sample; goes on where a report of the same sample ends;
                                               --own: with the layer's own test program alone
  mutate.py again BUILD REPORT                 the survivors of a report once more, after tests were written, but for
                                               those that are equivalent
  mutate.py keep REPORT KEPT                   the report as it is kept: every survivor, and the others as counts

BUILD is a folder of the preset release whose test programs are built. The reason why a survivor is equivalent goes
into equivalent.json.
"""
import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parents[1] / "bench"))

from figures.keep import kept  # noqa: E402
from mutants import mutants  # noqa: E402
from programs import PROGRAMS, ROOT, Build, layer, suites  # noqa: E402

OUTCOMES = ["killed", "work limit", "survived", "same object", "did not compile"]
EQUIVALENT = Path(__file__).resolve().parent / "equivalent.json"


def sources():
    found = []
    for name in PROGRAMS:
        found += sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / name).rglob("*.cpp"))
    return found


def sample(count, seed):
    """One of each of `count` parts of all mutants in the order of their sources: spread over files by size."""
    everything = [(source, mutant) for source in sources()
                  for mutant in mutants((ROOT / source).read_text(encoding="utf-8"))]
    chance = random.Random(seed)
    edges = [len(everything) * i // count for i in range(count + 1)]
    return len(everything), [everything[chance.randrange(low, high)] for low, high in zip(edges, edges[1:])]


def described(source, mutant):
    text = (ROOT / source).read_text(encoding="utf-8")
    line_begin = text.rfind("\n", 0, mutant.begin) + 1
    return {"source": source, "line": text.count("\n", 0, mutant.begin) + 1, "column": mutant.begin - line_begin + 1,
            "kind": mutant.kind, "before": text[mutant.begin:mutant.end], "after": mutant.after}


def judged(build, source, mutant, own=False):
    """(outcome, by whom): the first of the test programs that notices."""
    changed = build.compile(source, mutant.applied((ROOT / source).read_text(encoding="utf-8")))
    if changed is None:
        return "did not compile", ""
    if changed.read_bytes() == build.object_of(source).read_bytes():
        return "same object", ""
    programs = build.tests(source)
    if not programs:
        sys.exit(f"{source}: none of its test programs is built: {', '.join(PROGRAMS[layer(source)])}")
    programs = programs[:1] if own else programs
    near = suites(Path(source).parent.as_posix())
    for program, wanted in [(programs[0], near)] * bool(near) + [(program, "") for program in programs]:
        usual = usually(build, program, wanted)
        ending = build.run(program, wanted, changed, limit=3 * usual.seconds + 10)
        if ending is None:
            return "did not compile", f"{program} cannot be linked"
        if ending.limit:
            return "work limit", f"{program}: {ending.failed}"
        if ending.code != 0:
            return "killed", f"{program}: {ending.failed}"
    return "survived", ""


def usually(build, program, wanted):
    """How these tests end without a mutant."""
    if (program, wanted) not in build.usual:
        ending = build.run(program, wanted)
        if ending.code != 0:
            sys.exit(f"{program} {wanted} fails without a mutant: {ending.failed}")
        build.usual[program, wanted] = ending
    return build.usual[program, wanted]


def written(report, content):
    report.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def run(build, report, count, seed, own):
    """The report is written after every mutant, so that a run that was ended goes on."""
    candidates, chosen = sample(count, seed)
    revision = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    content = {
        "command": f"tests/mutation/mutate.py run build REPORT --count {count} --seed {seed}" + " --own" * own,
        "revision": revision.stdout.strip(), "seed": seed, "candidates": candidates, "count": count, "rows": []}
    if report.exists():
        content = json.loads(report.read_text(encoding="utf-8"))
    rows = content["rows"]
    expected = [described(*one) for one in chosen[:len(rows)]]
    if [{key: row[key] for key in want} for row, want in zip(rows, expected)] != expected:
        sys.exit(f"{report} is of another sample")
    for source, mutant in chosen[len(rows):]:
        outcome, by = judged(build, source, mutant, own)
        rows.append({**described(source, mutant), "outcome": outcome, "by": by})
        written(report, content)
        print(f"{len(rows)}/{count} {said(rows[-1])}", flush=True)


def again(build, report):
    content = json.loads(report.read_text(encoding="utf-8"))
    for row in content["rows"]:
        if row["outcome"] != "survived" or reason(row):
            continue
        source = row["source"]
        same = [m for m in mutants((ROOT / source).read_text(encoding="utf-8"))
                if all(described(source, m)[key] == row[key] for key in ("line", "column", "kind", "before", "after"))]
        if not same:
            print(f"{said(row)}: the source is another by now")
            continue
        row["outcome"], row["by"] = judged(build, source, same[0])
        print(said(row), flush=True)
        written(report, content)


def said(row):
    return f"{row['outcome']}: {row['source']}:{row['line']}:{row['column']} {row['before']!r} -> {row['after']!r} {row['by']}"


def reason(row):
    """Why no test can notice it, if somebody found that."""
    for known in json.loads(EQUIVALENT.read_text(encoding="utf-8")):
        if all(known[key] == row[key] for key in ("source", "line", "before", "after")):
            return known["reason"]
    return ""


def keep(report, path):
    content = json.loads(report.read_text(encoding="utf-8"))
    rows = content.pop("rows")
    content["judged"] = len(rows)
    counts = []
    for name in PROGRAMS:
        mine = [row["outcome"] for row in rows if layer(row["source"]) == name]
        counts.append({"layer": name, **{outcome: mine.count(outcome) for outcome in OUTCOMES}})
    survivors = [{key: row[key] for key in ("source", "line", "kind", "before", "after")} | {"reason": reason(row)}
                 for row in rows if row["outcome"] == "survived"]
    for row in counts:
        row["equivalent"] = sum(1 for s in survivors if s["reason"] and layer(s["source"]) == row["layer"])
    written(path, {**content, "rows": counts, "survivors": survivors})
    path.write_text(kept(path), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    verbs.add_parser("list").add_argument("source")
    for verb in ("run", "again"):
        one = verbs.add_parser(verb)
        one.add_argument("build", type=Path)
        one.add_argument("report", type=Path)
        if verb == "run":
            one.add_argument("--count", type=int, default=160)
            one.add_argument("--seed", type=int, default=1)
            one.add_argument("--own", action="store_true")
    one = verbs.add_parser("keep")
    one.add_argument("report", type=Path)
    one.add_argument("kept", type=Path)
    chosen = parser.parse_args()
    if chosen.verb == "list":
        for mutant in mutants((ROOT / chosen.source).read_text(encoding="utf-8")):
            row = described(chosen.source, mutant)
            print(f"{row['line']}:{row['column']} {row['kind']} {row['before']!r} -> {row['after']!r}")
        return
    if chosen.verb == "keep":
        keep(chosen.report, chosen.kept)
        return
    with tempfile.TemporaryDirectory(prefix="bankside-mutation-") as work:
        build = Build(chosen.build, work)
        if chosen.verb == "run":
            run(build, chosen.report, chosen.count, chosen.seed, chosen.own)
        else:
            again(build, chosen.report)


if __name__ == "__main__":
    main()
