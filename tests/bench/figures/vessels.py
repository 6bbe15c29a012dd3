"""How well recipes find vessels."""
from figures.registry import table
from figures.report import report, rows

KEPT = "vessels/chase_db1"


def three(value):
    return "" if value is None else f"{value:.4f}".lstrip("0")


@table("vessel-recipes", KEPT)
def recipes():
    lines = []
    for r in rows(KEPT):
        auc = f"{three(r['auc'])} ({three(r['auc_low'])} to {three(r['auc_high'])})" if r.get("auc") else ""
        lines.append([f"`{r['recipe']}`" if r["recipe"] != "observer2" else r["title"], auc, three(r["mcc"]),
                      three(r["f1"]), three(r["cldice"])])
    return ["recipe", f"AUC ({report(KEPT)['photographs']} photographs, 95 %)", "MCC", "F1", "clDice"], lines


LADDER = "vessels/ladder"


@table("vessel-ladder", LADDER)
def ladder():
    auc = {r["rung"]: r["auc"] for r in rows(LADDER)}
    lines = []
    for r in rows(LADDER):
        more = f"{r['auc'] - auc[r['to']]:+.4f}".replace("0.", ".") + f" ({r['to']})" if r["to"] else ""
        lines.append([r["rung"], r["adds"], three(r["auc"]), more, three(r["sketch"])])
    return ["rung", "what is added", "AUC", "more than", "sketch"], lines


CAMERAS = "vessels/cameras"


@table("vessel-cameras", CAMERAS)
def cameras():
    first = rows(CAMERAS)[0]
    lines = [[r["camera"] + (f": {r['imitates']}" if r["imitates"] else ""), three(r["auc"]), *map(three, r["beside"].values()),
              three(r["f1"]), f"{three(r['best_f1'])} at {r['best_threshold']:.2f}"] for r in rows(CAMERAS)]
    return ["camera, and what it imitates", "AUC of `vessels`", *(f"of `{name}`" for name in first["beside"]),
            f"F1 of `vessels` at {first['threshold']:.2f}", "at its best MCC"], lines


BESIDE = "vessels/scikit_image"


@table("beside-scikit-image", BESIDE)
def beside():
    lines = [[f"`{r['call']}`", r["who"], r["what"], f"{r['median_s']:.2f} ({r['low_s']:.2f} to {r['high_s']:.2f})"]
             for r in rows(BESIDE)]
    return ["call", "of", "which is", f"processor seconds (of {rows(BESIDE)[0]['rounds']} rounds)"], lines
