"""Runs what is measured, and gathers it: each function gives what goes under its name into results.json."""
import json, os, re, shutil, statistics, subprocess, sys

PEERS = {
    "Node AsyncLocalStorage": ("node", "node-async-local-storage.mjs", 50_000),
    "Python contextvars": ("python3", "python-contextvars.py", 50_000),
}
WAYS = ["raw", "handwritten", "carried"]


def say(line):
    print(line, file=sys.stderr, flush=True)


def output(command):
    """What a command prints; its progress goes to the standard error."""
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {result.returncode}.")
    return result.stdout


def shortened(report):
    """What the page shows of a report."""
    lines = [
        {
            "variant": line["variant"],
            "phase": line["phase"],
            "figure": {key: round(line[key], 2) for key in ("median", "percentile90")},
            "floor": round(line["floor"], 2),
            "ratio": line.get("ratio") and {key: round(value, 3) for key, value in line["ratio"].items()},
            "verdict": line.get("verdict"),
        }
        for line in report["lines"]
    ]
    return {"name": report["name"], "seed": report["seed"], "lines": lines}


class Measuring:
    def __init__(self, here, hops, is_quick):
        """hops: the module of measure-hops."""
        self.here, self.hops, self.is_quick = here, hops, is_quick
        self.sizes = [1, 10, 100, 1_000] if is_quick else [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
        self.samples = 1 if is_quick else 2
        self.built = None

    def hop_time(self, *arguments, cores=None):
        if self.built is None:
            say("building hop-time …")
            command = ["swift", "build", "-c", "release", "--package-path", self.here]
            self.hops.run(command + ["--product", "hop-time"])
            self.built = os.path.join(self.hops.run(command + ["--show-bin-path"]).strip().splitlines()[-1], "hop-time")
        pinned = ["taskset", "-c", cores] if cores else []
        return json.loads(output([*pinned, self.built, *map(str, arguments)]))

    def machine(self):
        model = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
        swift = self.hops.run(["swift", "--version"])
        return {
            "processor": model[1] if model else "unknown",
            "processors": os.cpu_count(),
            "swift": re.search(r"Swift version (\S+)", swift)[1],
        }

    def counts(self, folder):
        """Instructions and allocations of every way."""
        programs = self.hops.Programs(folder)
        return self.counted(programs, programs.hop_cases())

    def automatic(self, folder):
        """The same of plain calls, in a program that is linked with automatic mode and in one that is not."""
        programs = self.hops.Programs(folder)
        return self.counted(programs, programs.plain_cases())

    def counted(self, programs, cases):
        measures = (self.hops.INSTRUCTIONS, self.hops.ALLOCATIONS)
        return self.hops.measure_all(programs, [(c, m) for c in cases for m in measures], self.samples)

    def count_growth(self, folder):
        programs = self.hops.Programs(folder)
        curves = {
            "identities": (self.sizes, ["carried", "handwritten"]),
            "scopes": ([1, 10, 100, 1_000], ["carried", "handwritten"]),
            "companions": ([1, 2, 4, 8, 16, 32, 64], ["carried"]),
        }
        figures = {}
        for what, (sizes, ways) in curves.items():
            for way in ways:
                points = []
                for size in sizes:
                    say(f"counting a hop among {size:,} {what}, {way} …")
                    count = self.hops.per_hop(programs, f"{what}/{way}", self.hops.INSTRUCTIONS, size, self.samples)[0]
                    points.append([size, count])
                figures[f"{what}/{way}"] = points
        return figures

    def times(self, _):
        reports = self.hop_time("compare", "--rounds", 20 if self.is_quick else 200)
        return [shortened(report) for report in reports]

    def percentiles(self, _):
        calls = 20_000 if self.is_quick else 500_000
        return {b: self.hop_time("percentiles", "--boundary", b, "--calls", calls) for b in ("async", "sync")}

    def time_growth(self, _):
        sizes = ",".join(map(str, self.sizes))
        return self.hop_time("growth-curve", "--sizes", sizes, "--rounds", 10 if self.is_quick else 60)

    def throughput(self, _):
        """A queue that drains while it fills, on one core and on two."""
        if not shutil.which("taskset") or (os.cpu_count() or 1) < 2:
            return {}
        compare = ["compare", "--boundaries", "throughput", "--hops", 20_000, "--rounds", 10 if self.is_quick else 60]
        return {cores: shortened(self.hop_time(*compare, cores=mask)[0]) for cores, mask in (("1", "0"), ("2", "0,1"))}

    def many_queues(self, _):
        """Many queues and identities, by one thread and by two; plainly, and with revocation and counters on."""
        found = {}
        for on, flags in (("nothing", []), ("revocation, counters", ["--switched-on"])):
            found[on] = []
            for identities in [1, 1_000] if self.is_quick else [1, 1_000, 1_000_000]:
                # A process each: what is switched on stays on, and a million identities stay out of the others' caches.
                rounds = 10 if self.is_quick else 40
                found[on] += self.hop_time("throughput", "--identities", identities, "--rounds", rounds, *flags)
        return found

    def memory(self, _):
        pending = {}
        for way in WAYS + ["work-item"]:
            points = []
            for size in self.sizes[2:]:
                say(f"weighing {size:,} that wait, {way} …")
                weighed = self.hop_time("memory-of-pending", f"async/{way}", "--size", size)
                points.append([size, int(weighed["bytes"]) / size])
            pending[way] = points
        identities = [self.hop_time("memory-of-identities", "--size", size) for size in self.sizes[3:]]
        return {"pending": pending, "identities": identities}

    def peers(self, _):
        """Each against its own raw hop, in turn; a program that is not there is left out, and said to be."""
        found = {}
        for name, (program, script, hops) in PEERS.items():
            if not shutil.which(program):
                say(f"{name} is left out: {program} is not installed.")
                found[name] = None
                continue
            runs, version = {"raw": [], "carried": []}, ""
            for turn in range(3 if self.is_quick else 15):
                for way in ("raw", "carried") if turn % 2 else ("carried", "raw"):
                    say(f"{name}, {way}, turn {turn + 1} …")
                    script_path = os.path.join(self.here, "Peers", script)
                    run = json.loads(output([program, script_path, way, "5", str(hops)]))
                    version = run["version"]
                    runs[way].append(statistics.median(run["figures"]))
            ratios = sorted(carried / raw for raw, carried in zip(runs["raw"], runs["carried"]))
            found[name] = {
                "version": version,
                "raw": statistics.median(runs["raw"]),
                "carried": statistics.median(runs["carried"]),
                "ratio": statistics.median(ratios),
                "ratios": [ratios[0], ratios[-1]],
            }
        return found
