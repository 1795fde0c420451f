"""Counts the instructions of a request, by callgrind: they repeat where seconds do not."""

import http.client
import pathlib
import random
import re
import shutil
import statistics
import subprocess

from servers import Problem, Server

ROUTES = [
    ("GET", "/account"), ("GET", "/report"), ("GET", "/pipeline"), ("GET", "/cache"), ("POST", "/background"),
    ("GET", "/events?count=3"), ("PUT", "/files/load.txt"), ("GET", "/files/load.txt"),
]


def ask(server, tokens, count, seed):
    """Sends a fixed list of requests, one after another, over one connection."""
    chance = random.Random(seed)
    users = sorted(tokens)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    # Every user stores the file that it later asks for; these are not counted, since both counts have them.
    orders = [("PUT", "/files/load.txt", user) for user in users]
    orders += [(*ROUTES[number % len(ROUTES)], chance.choice(users)) for number in range(count)]
    for number, (method, path, user) in enumerate(orders):
        headers = {"Authorization": f"Bearer {tokens[user]}", "X-Marker": f"{number}-{user}"}
        connection.request(method, path, body=b"a line\n" * 500 if method == "PUT" else None, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        if answer.status >= 300 or (b'"as"' in body and f'"as":"{user}"'.encode() not in body):
            raise Problem(f"{method} {path} for {user} got {answer.status}: {body[:300]!r}")
    connection.close()


def total(programs, folder, flags, count, seed):
    """The instructions of one run of the server that answers `count` requests of the list."""
    wrapper = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--"]
    server = Server(programs, folder, flags=flags, wrapper=wrapper)
    tokens = server.tokens(folder / "tokens.txt", "--count", "10", "--lifetime", "86400")
    try:
        server.start(patience=120)
        ask(server, tokens, count, seed)
        server.stop(patience=120)
    finally:
        server.kill()
    return int(re.findall(r"Collected : (\d+)", server.log.read_text(encoding="utf-8", errors="replace"))[-1])


def stripped(programs, folder):
    """The server without its debug information, which valgrind does not read to the end."""
    if not shutil.which("strip"):
        raise Problem("strip is missing: apt-get install binutils")
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["strip", "--strip-debug", "-o", folder / "tenant-server", programs / "tenant-server"], check=True)
    return folder


def per_request(programs, folder, flags, seed, few=80, many=400, runs=3):
    """The median of several counts, and how far they lie apart: of many requests less those of few."""
    programs, counts = stripped(programs, folder / "programs"), []
    for run in range(runs):
        base = folder / f"{'-'.join(flags) or 'carried'}-{run}"
        sums = [total(programs, base / str(count), flags, count, seed) for count in (few, many)]
        counts.append((sums[1] - sums[0]) / (many - few))
    return statistics.median(counts), max(counts) / min(counts) - 1
