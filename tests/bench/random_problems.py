#!/usr/bin/env python3
"""Problems off every grid, one a line: what `bankside bench device` is asked to show of the planner.

usage: random_problems.py SEED COUNT [one|several]
Sizes are log-uniform, widths rarely a multiple of four, filters often oblong or even; `several`: 2 to 12 channels.
"""
import random
import sys


def log_uniform(low, high):
    return int(round(low * (high / low) ** random.random()))


def one_problem(several):
    while True:
        height, width = log_uniform(16, 5000), log_uniform(16, 5000)
        if 1000 <= height * width <= 9_000_000:
            break
    most = 11 if several else 31
    side = log_uniform(1, most)
    shape = random.choice(["square", "square", "oblong", "row", "column"])
    tall, wide = {"square": (side, side), "oblong": (side, log_uniform(1, most)), "row": (1, side),
                  "column": (side, 1)}[shape]
    channels = random.choice([2, 3, 3, 3, 4, 8, 12]) if several else 1
    filters = log_uniform(1, 32)
    # Responses of 1 GB at most.
    while height * width * filters * 4 > 1e9:
        filters = filters // 2
    source = random.choice(["u8", "u8", "u16", "f32", "f32"])
    border = random.choice(["reflect101", "reflect101", "replicate", "constant=0"])
    combine = random.choice(["none", "none", "max", "argmax"]) if filters > 1 else "none"
    size = f"k{tall}" if tall == wide else f"k{tall}x{wide}"
    return f"c{channels}h{height}w{width}-f{filters}{size}-{border}-{source}:f32-{combine}"


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    random.seed(int(sys.argv[1]))
    several = sys.argv[3:] == ["several"]
    print("\n".join(one_problem(several) for _ in range(int(sys.argv[2]))))


if __name__ == "__main__":
    main()
