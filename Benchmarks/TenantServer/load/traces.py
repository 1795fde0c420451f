"""Checks what the processes left behind: log lines, records of background work, files, jobs, entries of the ledger."""

import collections
import json
import os
import re
import time
import urllib.parse

from databases import rows

LINE = re.compile(rb"^\S+ info tenant: (?P<fields>.*?) \[TenantServer\] (?P<place>.*)$")
MARKER = re.compile(rb"(?:^| )marker=(\S+)")
PROTECTED = b"\x8dMIDP\r\n\x1a"
IDENTITY = re.compile(rb"(?:^| )identity=(\S+|no one)(?= |$)")


class Traces:
    """What was found; `wrong` are another's, `lost` nobody's."""

    def __init__(self):
        self.count = collections.Counter()
        self.wrong = collections.Counter()
        self.lost = collections.Counter()
        self.repeated = 0
        self.problems = []
        self.examples = []
        # By kind of work: the markers of what was promised, and how often each was done.
        self.promised = collections.defaultdict(set)
        self.done = collections.defaultdict(collections.Counter)

    def see(self, kind, marker, identity, what):
        user = marker.partition("-")[2]
        self.count[kind] += 1
        if identity in (None, "", "no one"):
            self.lost[kind] += 1
        elif identity != user:
            self.wrong[kind] += 1
        else:
            return
        if len(self.examples) < 5:
            self.examples.append(f"{kind}: {what}")

    def need(self, *kinds):
        self.problems += [f"there is no {kind}" for kind in kinds if not self.count[kind]]

    def keep_promises(self, kind):
        """What was said to be enqueued has to have been done, and nothing twice."""
        if missing := self.promised[kind] - set(self.done[kind]):
            self.problems.append(f"{len(missing)} × a {kind} that was enqueued and not done, as {min(missing)}")
        if twice := [marker for marker, count in self.done[kind].items() if count > 1]:
            self.problems.append(f"{len(twice)} × a {kind} that was done twice, as {min(twice)}")

    @property
    def shortcomings(self):
        found = [f"{count} × another user's {kind}" for kind, count in self.wrong.items()]
        found += [f"{count} × {kind} of no one" for kind, count in self.lost.items()]
        return found + self.problems


def read_log(path, traces):
    with open(path, "rb") as log:
        for line in log:
            match = LINE.match(line.rstrip(b"\n"))
            marker = match and MARKER.search(match["fields"])
            if not marker or marker[1] == b"-":
                continue
            marker = marker[1].decode()
            identity = IDENTITY.search(match["fields"])
            traces.see("log line", marker, identity and identity[1].decode(), line.decode(errors="replace").strip())
            if match["place"] == b"enqueued":
                traces.promised["record"].add(marker)
            elif match["place"] == b"job enqueued":
                traces.promised["job"].add(marker)


def read_records(path, traces):
    with open(path, encoding="utf-8") as records:
        for line in records:
            record = json.loads(line)
            traces.see("record", record["marker"], record["as"], line.strip())
            traces.done["record"][record["marker"]] += 1


def read_files(folder, traces):
    for path in folder.glob("*/*"):
        owner = urllib.parse.unquote(path.parent.name)
        data = path.read_bytes()
        if data.startswith(PROTECTED):
            read_protected(path, owner, data, traces)
            continue
        for user in set(data.decode(errors="replace").split("\n")) - {""}:
            traces.see("file", f"-{user}", owner, f"{path} has lines of {user}")


def read_protected(path, owner, data, traces):
    """A file that the server has encrypted: its owner stands in its header and, where there are any, its attributes."""
    length = int.from_bytes(data[10:12], "big")
    names = {data[12 : 12 + length].decode(errors="replace")}
    try:
        names.add(os.getxattr(path, "user.multi-identity.owner")[6:].decode(errors="replace"))
    except OSError:
        pass  # the file system keeps none: the owners stand in an index
    for name in names:
        traces.see("file", f"-{name}", owner, f"{path} is {name}'s")
    if f"{owner}\n".encode() in data[12 + length :]:
        traces.problems.append(f"{path} can be read")


def drain(databases, patience=120):
    """Waits until every job has been done or put aside."""
    end = time.monotonic() + patience
    while any(rows(database, "SELECT 1 FROM jobs WHERE finished_at IS NULL LIMIT 1") for database in databases):
        if time.monotonic() > end:
            return f"jobs were not done within {patience} s"
        time.sleep(0.1)
    return None


def read_jobs(database, traces):
    for marker, made_as, attempt in rows(database, "SELECT marker, made_as, attempt FROM job_notes"):
        traces.see("job", marker, made_as, f"{marker} was made as {made_as}")
        traces.done["job"][marker] += 1
        traces.repeated += attempt > 1
    read_states(database, traces)


def read_ledger(database, traces):
    for marker, owner in rows(database, "SELECT request_id, owner_name FROM entries"):
        traces.see("entry", marker, owner, f"{marker} is {owner}'s")
        traces.promised["receipt"].add(marker)
    query = "SELECT request_id, made_name, attempt FROM entries JOIN receipts ON entry = number"
    for marker, made_as, attempt in rows(database, query):
        traces.see("receipt", marker, made_as, f"{marker} was made as {made_as}")
        traces.done["receipt"][marker] += 1
        traces.repeated += attempt > 1
    read_states(database, traces)


def read_states(database, traces):
    for state, count in rows(database, "SELECT state, COUNT(*) FROM jobs WHERE state <> 'done' GROUP BY state"):
        traces.problems.append(f"{count} jobs are {state}")


def read(server, ledger, records=True, wiped=()):
    """Reads all that a server and its ledger left, but for what was promised to tenants who were `wiped` since.

    `records` of background work are gone with a killed process.
    """
    traces = Traces()
    read_log(server.log, traces)
    read_jobs(server.jobs, traces)
    read_ledger(ledger.database, traces)
    for kind, markers in traces.promised.items():
        traces.promised[kind] = {marker for marker in markers if marker.partition("-")[2] not in wiped}
    traces.keep_promises("job")
    traces.keep_promises("receipt")
    traces.need("log line", "job", "entry", "receipt")
    if records:
        read_records(server.data / "background.jsonl", traces)
        read_files(server.data / "files", traces)
        traces.keep_promises("record")
        traces.need("record", "file")
    return traces
