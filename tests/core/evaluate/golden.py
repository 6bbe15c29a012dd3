#!/usr/bin/env python3
"""Figures of golden.json, worked out with numpy apart from the program.

  golden.py           writes golden.json beside this file
  golden.py --check   compares it with what would be written; 77 where there is no numpy

Responses are whole numbers over 4, so that many are the same. Everything is computed in the obvious way: pairs are
compared one by one, thresholds tried one by one, the thinning goes over all pixels again and again.
"""
import json
import pathlib
import sys

try:
    import numpy as np
except ImportError:
    print("no numpy here")
    sys.exit(77)

FILE = pathlib.Path(__file__).with_name("golden.json")
HEIGHT, WIDTH = 28, 33
RESAMPLES, SEED = 2000, 1


def disc(y, x, radius):
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    return np.hypot(rows - y, columns - x) <= radius


def make_image(random, radius):
    inside = disc(13.5, 16, 13.2)
    vessel = np.zeros((HEIGHT, WIDTH), bool)
    for _ in range(3):
        y, x, angle = random.uniform(4, 24), random.uniform(4, 28), random.uniform(0, 2 * np.pi)
        for _ in range(60):
            vessel |= disc(y, x, radius)
            angle += random.normal(0, 0.15)
            y, x = y + 0.5 * np.sin(angle), x + 0.5 * np.cos(angle)
    observer = vessel & (random.uniform(size=vessel.shape) < 0.85) | (random.uniform(size=vessel.shape) < 0.02)
    quarters = np.rint(6 * vessel + random.normal(0, 4, vessel.shape)).astype(int)
    return inside, vessel & inside, observer & inside, quarters


def auc(vessel, ground):
    wins = (vessel[:, None] > ground[None, :]).sum() + 0.5 * (vessel[:, None] == ground[None, :]).sum()
    return wins / (len(vessel) * len(ground))


def average_precision(vessel, ground):
    total, before = 0.0, 0
    for t in np.unique(np.concatenate([vessel, ground]))[::-1]:
        hits = (vessel >= t).sum()
        total += (hits - before) / len(vessel) * hits / (hits + (ground >= t).sum())
        before = hits
    return total


def mcc(tp, fp, fn, tn):
    scale = np.sqrt(float(tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return 0.0 if scale == 0 else (tp * tn - fp * fn) / scale


def confusion(called, vessel, inside):
    return [int((called & vessel & inside).sum()), int((called & ~vessel & inside).sum()),
            int((~called & vessel & inside).sum()), int((~called & ~vessel & inside).sum())]


def otsu(values):
    best, threshold = 0.0, None
    for t in np.unique(values)[:0:-1]:
        upper, lower = values[values >= t], values[values < t]
        variance = len(upper) * len(lower) * (upper.mean() - lower.mean()) ** 2
        if variance > best * (1 + 1e-12):
            best, threshold = variance, t
    return threshold


def skeleton(shape):
    picture = np.pad(shape, 1).astype(int)
    changed = True
    while changed:
        changed = False
        for first in (True, False):
            gone = []
            for y, x in np.argwhere(picture):
                p2, p3, p4, p5, p6, p7, p8, p9 = (picture[y + dy, x + dx] for dy, dx in (
                    (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)))
                pieces = (((1 - p2) & (p3 | p4)) + ((1 - p4) & (p5 | p6))
                          + ((1 - p6) & (p7 | p8)) + ((1 - p8) & (p9 | p2)))
                around = min((p9 | p2) + (p3 | p4) + (p5 | p6) + (p7 | p8),
                             (p2 | p3) + (p4 | p5) + (p6 | p7) + (p8 | p9))
                held = (p2 | p3 | 1 - p5) & p4 if first else (p6 | p7 | 1 - p9) & p8
                if pieces == 1 and 2 <= around <= 3 and held == 0:
                    gone.append((y, x))
            for y, x in gone:
                picture[y, x] = 0
            changed = changed or bool(gone)
    return picture[1:-1, 1:-1].astype(bool)


def centre_lines(called, vessel):
    ours, theirs = skeleton(called), skeleton(vessel)
    return [int(ours.sum()), int((ours & vessel).sum()), int(theirs.sum()), int((theirs & called).sum())]


def interval(values):
    return [float(v) for v in np.percentile([v for v in values if not np.isnan(v)], [2.5, 97.5])]


def golden():
    random = np.random.RandomState(20)
    images = [make_image(random, radius) for radius in (1.6, 0.9, 2.4, 1.2)]
    sides = [(q[v & i] / 4, q[~v & i] / 4) for i, v, _, q in images]
    pooled = [np.concatenate(side) for side in zip(*sides)]
    levels = np.unique(np.concatenate(pooled))[::-1]

    def all_confusions(threshold):
        return [confusion(q / 4 >= threshold, v, i) for i, v, _, q in images]

    scores = [mcc(*np.sum(all_confusions(t), axis=0)) for t in levels]
    best = levels[int(np.argmax(scores))]
    own = [otsu(q[i] / 4) for i, _, _, q in images]
    words = np.random.RandomState(SEED).randint(0, 2**32, size=(RESAMPLES, len(images)), dtype=np.uint32)
    draws = [sorted(int(word) * len(images) >> 32 for word in row) for row in words]
    areas = [auc(*side) for side in sides]
    counts = np.array(all_confusions(best))
    pooled_areas = {}
    for drawn in map(tuple, draws):
        if drawn not in pooled_areas:
            pooled_areas[drawn] = auc(*(np.concatenate([sides[k][kind] for k in drawn]) for kind in (0, 1)))
    return {
        "height": HEIGHT, "width": WIDTH,
        "images": [{
            "inside": "".join(".#"[int(b)] for b in i.ravel()),
            "vessel": "".join(".#"[int(b)] for b in v.ravel()),
            "observer": "".join(".#"[int(b)] for b in o.ravel()),
            "quarters": [int(value) for value in q.ravel()],
            "auc": areas[k], "average_precision": average_precision(*sides[k]), "otsu": float(own[k]),
            "best": confusion(q / 4 >= best, v, i), "best_lines": centre_lines((q / 4 >= best) & i, v),
            "otsu_counts": confusion(q / 4 >= own[k], v, i),
            "observer_counts": confusion(o, v, i), "observer_lines": centre_lines(o, v),
        } for k, (i, v, o, q) in enumerate(images)],
        "auc": auc(*pooled), "auc_interval": interval([pooled_areas[tuple(drawn)] for drawn in draws]),
        "mean_auc": float(np.mean(areas)),
        "mean_auc_interval": interval([np.mean([areas[k] for k in drawn]) for drawn in draws]),
        "average_precision": average_precision(*pooled),
        "best_threshold": float(best), "best_mcc": float(max(scores)),
        "best_mcc_interval": interval([mcc(*counts[drawn].sum(axis=0)) for drawn in draws]),
    }


def leaves(value, path=""):
    if isinstance(value, dict):
        return [leaf for key in value for leaf in leaves(value[key], path + "/" + key)]
    if isinstance(value, list):
        return [leaf for k, item in enumerate(value) for leaf in leaves(item, f"{path}/{k}")]
    return [(path, value)]


def same(a, b):
    return a[0] == b[0] and (abs(a[1] - b[1]) <= 1e-9 if isinstance(a[1], float) else a[1] == b[1])


def main():
    text = json.dumps(golden(), separators=(",", ":")).replace('{"inside"', '\n{"inside"') + "\n"
    if "--check" not in sys.argv:
        FILE.write_text(text)
        return 0
    made, kept = leaves(json.loads(text)), leaves(json.loads(FILE.read_text()))
    wrong = [(a, b) for a, b in zip(made, kept) if not same(a, b)]
    for a, b in wrong[:10]:
        print(f"{a[0]}: numpy says {a[1]}, golden.json {b[1]}")
    return 1 if wrong or len(made) != len(kept) else 0


if __name__ == "__main__":
    sys.exit(main())
