"""Figures of batches: tests/bench/batch.py and, of a study on paper, tests/bench/study.py."""
from figures.numbers import number
from figures.registry import figure, table
from figures.report import report, rows

BATCH = "cpu/batch/xeon"
STUDY = "cpu/batch/study"


def megabytes(size):
    return f"{size / 1e6:.0f}"


def seconds(time):
    return f"{time / 1e6:.2f}"


@table("batch", BATCH)
def batch():
    lines = [[number(r["images"]), seconds(r["plan_cpu_us"]), megabytes(r["plan_peak_bytes"]),
              seconds(r["merge_cpu_us"]), megabytes(r["merge_peak_bytes"]), seconds(r["audit_cpu_us"])]
             for r in rows(BATCH)]
    return ["images", "plan, s", "its memory, MB", "merge, s", "its memory, MB", "audit, s"], lines


@table("study", STUDY)
def study():
    lines = [[f"{r['shards']:,}", f"{r['shard_s'] / 60:.1f}", f"{r['hours']:.2f}",
              f"{r['over_ideal']:.2f}", str(r["lost_tasks"]), f"{r['tail_s'] / 60:.1f}"] for r in rows(STUDY)]
    return ["shards", "minutes of one", "hours in all", "over the ideal", "tasks lost",
            "minutes for the last 1 %"], lines


def calls_a_second(kind):
    kept = report(STUDY)
    return number(round(kept["calls_an_image"][kind] * kept["images_a_second"], -2))


figure("study-images", STUDY, lambda: number(round(report(STUDY)["images_a_second"], -1)))
figure("study-gigabytes", STUDY, lambda: f"{report(STUDY)['bytes_a_second'] / 1e9:.0f}")
for kind in ("open", "look", "lock", "sync", "rename"):
    figure(f"study-{kind}", STUDY, lambda kind=kind: calls_a_second(kind))
