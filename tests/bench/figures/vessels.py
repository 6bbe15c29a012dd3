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
    lines = [[r["camera"], r["imitates"], three(r["auc"]), three(r["f1"]), three(r["best_f1"]), f"{r['best_threshold']:.2f}"]
             for r in rows(CAMERAS)]
    threshold = rows(CAMERAS)[0]["threshold"]
    return ["camera", "what it imitates", "AUC", f"F1 at {threshold:.2f}", "F1 at its best MCC", "threshold there"], lines


BESIDE = "vessels/scikit_image"


@table("beside-scikit-image", BESIDE)
def beside():
    lines = [[f"`{r['call']}`", r["who"], r["what"], f"{r['median_s']:.2f} ({r['low_s']:.2f} to {r['high_s']:.2f})"]
             for r in rows(BESIDE)]
    return ["call", "of", "which is", f"processor seconds (of {rows(BESIDE)[0]['rounds']} rounds)"], lines
