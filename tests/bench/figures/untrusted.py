"""What a sandbox costs: tests/bench/untrusted.py."""
from figures.numbers import percent
from figures.registry import figure
from figures.report import row

UNTRUSTED = "cpu/untrusted/xeon"


def cost(which):
    return percent(row(UNTRUSTED, cost="processor time")[which]) + " %"


figure("untrusted-cost", UNTRUSTED, lambda: cost("median"))
figure("untrusted-cost-low", UNTRUSTED, lambda: cost("low"))
figure("untrusted-cost-high", UNTRUSTED, lambda: cost("high"))
