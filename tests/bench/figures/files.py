"""Figures of result files: tests/bench/files.py."""
from figures.numbers import times
from figures.registry import figure, table
from figures.report import row, rows

FILES = "cpu/files/xeon"
PIXELS = 1411 * 1411


def png(which):
    return row(FILES, program=which, format="png", type="u16", compression="deflate" if which == "this" else "")


@table("files", FILES)
def files():
    lines = []
    for r in rows(FILES):
        raw = {"u8": 1, "u16": 2, "f32": 4}[r["type"]] * PIXELS
        how = r["compression"] if r["program"] == "this" else "the build before"
        lines.append([f"{r['format'].upper()}, {r['type']}", how,
                      f"{r['file_bytes'] / raw:.3f}", times(r["whole_over_read_and_filter"]),
                      f"{times(r['ratio_low'])} to {times(r['ratio_high'])}"])
    return ["file", "compression", "size over raw", "all over decode and filter", "its interval"], lines


figure("files-png-whole", FILES, lambda: times(png("this")["whole_over_read_and_filter"]))
figure("files-png-before", FILES, lambda: times(png("before")["whole_over_read_and_filter"]))
figure("files-png-encode", FILES, lambda: times(png("before")["encode_us"] / png("this")["encode_us"]))
