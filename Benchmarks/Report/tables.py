"""Writes the tables of Docs/Performance.md from results.json, each between its two comments."""
import os, re, sys


def rows(heads, lines, numbers_from=1):
    rule = ["---" if index < numbers_from else "---:" for index in range(len(heads))]
    return "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in (heads, rule, *lines))


# From so many processors on, what others keep busy is said.
MUCH = 0.2


def machine(results, _):
    at, runs = results["machine"], results.get("runs", {})
    text = f"Swift {at['swift']} on Linux, x86-64, release build; {at['processors']} processors, {at['processor']}."
    quick = [part.replace("_", " ") for part, run in runs.items() if run["quick"]]
    busy = [part.replace("_", " ") for part, run in runs.items() if run["busy"] > MUCH]
    if quick:
        text += f" Measured quickly, with fewer rounds and smaller sizes: {', '.join(quick)}."
    if busy:
        most = max(run["busy"] for run in runs.values())
        text += f" The machine had other work when these began (up to {most:.1f} processors' worth): {', '.join(busy)}."
    return text


def counts(results, hops):
    figures = {case: values for case, values in results["counts"].items() if not case.startswith("diagnostics/")}
    return "\n".join(hops.table(figures))


def automatic(results, hops):
    return "\n".join(hops.table(results["automatic"]))


def limits(results, hops):
    lines, figures = [], {**results["counts"], **results.get("automatic", {})}
    for case, measure, most, base in hops.LIMITS:
        if case not in figures or base not in figures:
            lines.append([case, measure, f"{most} of {base}", "–", "not measured yet"])
            continue
        figure, least, _ = hops.against(figures, case, measure, base)
        if measure == hops.INSTRUCTIONS:
            shown, bound, is_within = f"{figure:.2f}", f"{most:.2f} of {base}", figure <= most
        else:
            shown, bound, is_within = f"{figure + 0.0:+.1f}", f"{most:+} beside {base}", least <= most
        lines.append([case, measure, bound, shown, "within" if is_within else "unsure" if least <= most else "over"])
    return rows(["way", "measure", "at most", "measured", ""], lines, 5)


def diagnostics(results, _):
    figures = results["counts"]
    lines = [["nothing", f"{figures['async/carried']['instructions']:,.0f}"]]
    for case, values in figures.items():
        if case.startswith("diagnostics/with-"):
            name = case.removeprefix("diagnostics/with-").replace("-", " ")
            lines.append([name, f"{values['instructions']:,.0f}"])
    return rows(["turned on", "instructions a hop"], lines)


def interval(ratio):
    return f"{ratio['lower']:.2f} to {ratio['upper']:.2f}"


def times(results, _):
    lines = []
    for report in results["times"]:
        for line in report["lines"]:
            if line["phase"] == "whole" or line["phase"] != "whole" and report["name"] == "async":
                ratio = line.get("ratio")
                part = "" if line["phase"] == "whole" else f", {line['phase']}"
                lines.append([
                    f"{report['name']}{part}", line["variant"], f"{line['figure']['median']:,.1f}",
                    f"{line['figure']['percentile90']:,.1f}", f"{line['floor']:.1f}",
                    f"{ratio['estimate']:.2f}" if ratio else "–", interval(ratio) if ratio else "–",
                    line.get("verdict") or "–",
                ])
    heads = ["boundary", "way", "median, ns", "90 %", "floor", "ratio", "95 % sure", "verdict"]
    return rows(heads, lines, 2)


def percentiles(results, _):
    lines = [
        [boundary, way, *(f"{figures[key]:,}" for key in ("p50", "p90", "p99", "p999", "max"))]
        for boundary, ways in results["percentiles"].items()
        for way, figures in sorted(ways.items())
    ]
    return rows(["call", "way", "50 %", "90 %", "99 %", "99.9 %", "longest"], lines, 2)


def throughput(results, _):
    lines = []
    for cores, report in results["throughput"].items():
        for line in report["lines"]:
            if line["phase"] == "whole":
                ratio = line.get("ratio")
                lines.append([
                    cores, line["variant"], f"{1_000 / line['figure']['median']:.2f}",
                    f"{1 / ratio['estimate']:.2f}" if ratio else "–", line.get("verdict") or "–",
                ])
    return rows(["cores", "way", "million hops a second", "against raw", "verdict of time"], lines, 2)


def many_queues(results, _):
    """A line for each way but raw: its ratio by one thread and by two, and by what it grows from one to the other."""
    lines = []
    for on, points in results["many_queues"].items():
        by = {(p["queues"], p["identities"], p["threads"], p["way"]): p for p in points}
        for (queues, identities, threads, way), one in by.items():
            if threads != 1 or way == "raw":
                continue
            two = by[queues, identities, 2, way]
            # From the ends of both intervals: wider than 95 %, and so never surer than it may be.
            first, second = one["ratio"], two["ratio"]
            grown = {"lower": second["lower"] / first["upper"], "upper": second["upper"] / first["lower"]}
            verdict = "dearer" if grown["lower"] > 1 else "cheaper" if grown["upper"] < 1 else "no verdict"
            lines.append([
                on, f"{queues:,}", f"{identities:,}", way,
                *(f"{1_000 / by[queues, identities, n, 'raw']['nanoseconds']:.2f}" for n in (1, 2)),
                *(cell for p in (one, two) for cell in (f"{p['ratio']['estimate']:.2f} ({interval(p['ratio'])})", p["verdict"])),
                f"{second['estimate'] / first['estimate']:.2f} ({interval(grown)})", verdict,
            ])
    heads = ["turned on", "queues", "identities", "way", "raw by one, million hops a second", "raw by two",
             "time against raw, by one", "", "by two", "", "two against one", ""]
    return rows(heads, lines, 4)


def peers(results, _):
    lines = []
    for name, peer in results["peers"].items():
        if peer is None:
            lines.append([name, "not installed here", "–", "–", "–"])
        else:
            spread = f"{peer['ratios'][0]:.2f} to {peer['ratios'][1]:.2f}"
            lines.append([name, peer["version"], f"{peer['raw']:,.0f}", f"{peer['ratio']:.2f}", spread])
    return rows(["peer", "version", "its raw hop, ns", "carried, against that", "from run to run"], lines, 2)


def growth(results, _):
    lines = []
    for name, points in results["count_growth"].items():
        what, way = name.split("/")
        first = points[0][1]
        for size, value in points:
            lines.append([what, way, f"{size:,}", f"{value:,.0f}", f"{value / first - 1:+.1%}"])
    return rows(["what grows", "way", "size", "instructions a hop", "against the first"], lines, 2)


def time_growth(results, _):
    lines = [
        [f"{point['size']:,}", point["way"], f"{point['nanoseconds']:,.0f}", point.get("verdict") or "–"]
        for point in results["time_growth"]
    ]
    return rows(["identities", "way", "ns a hop", "against by hand"], lines, 2)


def memory(results, _):
    pending = results["memory"]["pending"]
    lines = []
    for index, (size, raw) in enumerate(pending["raw"]):
        cells = [f"{size:,}"]
        for way, points in pending.items():
            cells.append(f"{points[index][1]:.0f}")
        lines.append(cells)
    return rows(["that wait", *(f"{way}, bytes each" for way in pending)], lines, 0)


def identities(results, _):
    lines = [
        [f"{one['size']:,}", f"{one['alive'] / one['size']:.0f}", f"{one['left'] / one['alive']:.2%}"]
        for one in results["memory"]["identities"]
    ]
    return rows(["identities", "bytes each, alive", "left when they are gone"], lines, 0)


# What stands above a table.
PLOTS = {
    "counts": [("instructions", "Instructions of a hop against raw, for each boundary and way")],
    "peers": [("side-by-side", "A hop as others make it, against its own raw hop")],
    "times": [("time", "Time of a hop against raw, with intervals")],
    "growth": [
        ("identities-instructions", "Instructions of a hop among many identities"),
        ("scopes-instructions", "Instructions of a hop in nested scopes"),
        ("companions-instructions", "Instructions of a hop with companions"),
    ],
    "time_growth": [("identities-time", "Time of a hop among many identities")],
    "memory": [("pending-memory", "Bytes of each piece of work that waits")],
}

# The results that a table is made of, where they are called otherwise.
MADE_OF = {"limits": "counts", "diagnostics": "counts", "growth": "count_growth", "identities": "memory"}

TABLES = [machine, counts, automatic, limits, diagnostics, times, percentiles, throughput, many_queues, peers, growth, time_growth, memory, identities]


def write(results, hops, path):
    """Puts each table where the document has its comments; a table without results stays as it is."""
    text = open(path, encoding="utf-8").read()
    for table in TABLES:
        name = table.__name__
        pattern = re.compile(rf"(<!-- table: {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        if len(pattern.findall(text)) != 1:
            sys.exit(f"{path} has to have one place for the table {name}.")
        if MADE_OF.get(name, name) in results:
            drawn = lambda plot: os.path.exists(os.path.join(os.path.dirname(path), "Performance", f"{plot}.svg"))
            plots = [f"![{text}](Performance/{plot}.svg)" for plot, text in PLOTS.get(name, []) if drawn(plot)]
            made = "\n\n".join([*plots, table(results, hops)])
        else:
            made = "Not measured yet."
        text = pattern.sub(lambda match: f"{match[1]}\n{made}\n\n{match[2]}", text)
    open(path, "w", encoding="utf-8").write(text)
