"""Draws the plots of Docs/Performance from results.json: the same results give the same files, byte for byte."""
import os, sys

try:
    import matplotlib
except ImportError:
    sys.exit(
        "The plots need matplotlib: apt-get install python3-matplotlib, or\n"
        "python3 -m venv .build-plots && .build-plots/bin/pip install matplotlib, and run this with .build-plots/bin/python3."
    )
matplotlib.use("svg")
matplotlib.rcParams.update(
    {
        "svg.hashsalt": "swift-multi-identity",
        "svg.fonttype": "none",
        "font.family": "sans-serif",
        "font.sans-serif": ["Helvetica", "Arial", "DejaVu Sans"],
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": "#e5e5e5",
        "axes.axisbelow": True,
        "figure.facecolor": "white",
    }
)
from matplotlib import pyplot  # noqa: E402, after the back end has been chosen

COLORS = {
    "raw": "#9a9a9a", "handwritten": "#d9822b", "carried": "#1f6fb4", "carried-unbound": "#7fb2dc",
    "service-context": "#a05a2c", "thread-local": "#6a8f3c", "work-item": "#8a63a8",
}

# Where bars are cut off, so that one outlier does not flatten all the others.
LONGEST = 3


def save(figure, folder, name):
    figure.tight_layout()
    figure.savefig(os.path.join(folder, f"{name}.svg"), metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def bars(axes, rows, unit):
    """rows: (label, value, color)."""
    places = range(len(rows))
    axes.barh(places, [value for _, value, _ in rows], color=[color for _, _, color in rows], height=0.7)
    axes.set_yticks(places, [label for label, _, _ in rows])
    axes.invert_yaxis()
    axes.set_xlabel(unit)
    axes.grid(axis="y", visible=False)
    axes.margins(y=0.01)
    axes.set_xlim(0, LONGEST)
    for place, (_, value, _) in zip(places, rows):
        # A bar that is cut off says how long it would be.
        text = f" {value:.2f}" if value <= LONGEST else f"{value:.1f} → "
        axes.annotate(
            text, (min(value, LONGEST), place), va="center", ha="left" if value <= LONGEST else "right", fontsize=8,
            color="black" if value <= LONGEST else "white",
        )


def draw_counts(results, folder):
    counts = results["counts"]
    rows = []
    for case, values in counts.items():
        boundary, way = case.split("/")
        base = counts.get(f"{boundary}/raw") or counts.get(f"{boundary}/handwritten")
        if base and way in ("handwritten", "carried", "carried-unbound") and boundary != "operation-block":
            if values is not base:
                rows.append((f"{boundary}, {way}", values["instructions"] / base["instructions"], COLORS[way]))
    figure, axes = pyplot.subplots(figsize=(8, 0.24 * len(rows) + 1))
    bars(axes, rows, "instructions, against raw (scopes and reads: against the bare task-local)")
    axes.axvline(1, color="#444444", linewidth=1)
    save(figure, folder, "instructions")


def draw_side_by_side(results, folder):
    counts, rows = results["counts"], []
    for case, values in counts.items():
        boundary, way = case.split("/")
        if boundary == "async":
            ratio = values["instructions"] / counts["async/raw"]["instructions"]
            rows.append((way, ratio, COLORS.get(way, "#1f6fb4")))
    for name, peer in (results.get("peers") or {}).items():
        if peer:
            rows.append((f"{name} (time)", peer["ratio"], "#b04a5a"))
    figure, axes = pyplot.subplots(figsize=(8, 0.3 * len(rows) + 1))
    bars(axes, rows, "a hop, against its own raw hop")
    axes.axvline(1, color="#444444", linewidth=1)
    save(figure, folder, "side-by-side")


def draw_times(results, folder):
    rows = []
    for report in results["times"]:
        for line in report["lines"]:
            if line.get("ratio") and line["phase"] == "whole":
                rows.append((f"{report['name']}, {line['variant']}", line["ratio"], COLORS.get(line["variant"], "#1f6fb4")))
    figure, axes = pyplot.subplots(figsize=(8, 0.24 * len(rows) + 1))
    for place, (_, ratio, color) in enumerate(rows):
        axes.plot([ratio["lower"], ratio["upper"]], [place, place], color=color, linewidth=2)
        axes.plot(ratio["estimate"], place, "o", color=color, markersize=4)
    axes.set_yticks(range(len(rows)), [label for label, _, _ in rows])
    axes.margins(y=0.01)
    axes.invert_yaxis()
    axes.set_xlim(0, LONGEST)
    axes.axvline(1, color="#444444", linewidth=1)
    axes.set_xlabel("time, against the baseline of its table, with the interval")
    save(figure, folder, "time")


def draw_curves(folder, name, curves, x_label, y_label, base=10):
    """curves: (label, [(x, y)], color)."""
    figure, axes = pyplot.subplots(figsize=(7, 3.2))
    for label, points, color in curves:
        # Raw is drawn broad, since a curve that is as good as raw lies on it.
        width = 5 if label == "raw" else 1.5
        xs, ys = [x for x, _ in points], [y for _, y in points]
        axes.plot(xs, ys, marker="o", markersize=4, linewidth=width, label=label, color=color)
    axes.set_xscale("log", base=base)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.legend(frameon=False)
    save(figure, folder, name)


def draw(results, folder):
    os.makedirs(folder, exist_ok=True)
    if "counts" in results:
        draw_counts(results, folder)
        draw_side_by_side(results, folder)
    if "times" in results:
        draw_times(results, folder)
    growth = results.get("count_growth", {})
    for what in ("identities", "scopes", "companions"):
        curves = [(w, growth[f"{what}/{w}"], COLORS[w]) for w in ("carried", "handwritten") if f"{what}/{w}" in growth]
        if curves:
            base = 2 if what == "companions" else 10
            draw_curves(folder, f"{what}-instructions", curves, what, "instructions a hop", base)
    if points := results.get("time_growth"):
        ways = sorted({point["way"] for point in points})
        curves = [(w, [(p["size"], p["nanoseconds"]) for p in points if p["way"] == w], COLORS[w]) for w in ways]
        draw_curves(folder, "identities-time", curves, "identities", "nanoseconds a hop")
    if memory := results.get("memory"):
        curves = [(way, points, COLORS[way]) for way, points in memory["pending"].items()]
        draw_curves(folder, "pending-memory", curves, "pieces of work that wait", "bytes each")
