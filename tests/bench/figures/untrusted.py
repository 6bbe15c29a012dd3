"""What a sandbox costs: tests/bench/untrusted.py."""
from figures.numbers import percent
from figures.registry import figure
from figures.report import row

# Each on two processors that much other work shared.
UNTRUSTED = {"": "cpu/untrusted/xeon", "-epyc": "cpu/untrusted/epyc"}


def cost(report, which):
    return percent(row(report, cost="processor time")[which]) + " %"


for machine_, report_ in UNTRUSTED.items():
    figure(f"untrusted-cost{machine_}", report_, lambda r=report_: cost(r, "median"))
    figure(f"untrusted-cost{machine_}-low", report_, lambda r=report_: cost(r, "low"))
    figure(f"untrusted-cost{machine_}-high", report_, lambda r=report_: cost(r, "high"))
