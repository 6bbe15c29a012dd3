"""Figures of plans and reports of batches: tests/bench/batch.py."""
from figures.numbers import number
from figures.registry import table
from figures.report import rows

BATCH = "cpu/batch/xeon"


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
