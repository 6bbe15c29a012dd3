"""Times of the window: tests/bench/window_turns.cpp."""
from figures.device import shown
from figures.numbers import number
from figures.registry import figure, table
from figures.report import row, rows

TURNS = "cpu/window/turns"
RESPONSES = "input, maximum of twelve, two of them"
JUDGED = "input, one of twelve, OpenCV's, judged difference"


def ms(value):
    return f"{number(value)} ms"


@table("window-turns", TURNS)
def turns():
    lines = [[r["what"], shown(r["first_ms"]), shown(r["all_ms"]),
              shown(r["all_95_ms"]), number(r["paint_ms"]), number(r["paint_99_ms"])]
             for r in rows(TURNS) if r.get("paints")]
    return ["panes", "first result, ms", "all panes, ms", "95 % of turns, ms", "a paint, ms", "99 % of paints, ms"], lines


figure("window-turn", TURNS, lambda: ms(row(TURNS, what=RESPONSES)["all_ms"]))
figure("window-turn-judged", TURNS, lambda: ms(row(TURNS, what=JUDGED)["all_ms"]))
figure("window-start", TURNS, lambda: ms(row(TURNS, what="start")["first_picture_ms"]))
