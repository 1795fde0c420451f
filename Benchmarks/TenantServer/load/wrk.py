"""Runs wrk with the script that checks each answer."""

import json
import pathlib
import shutil
import subprocess
import threading
import time

from servers import Problem

SCRIPT = pathlib.Path(__file__).resolve().parent / "tenants.lua"


def need():
    if not shutil.which("wrk"):
        raise Problem("wrk is missing: apt-get install wrk")


def run(server, tokens, seconds, seed, connections=64, threads=2, routes="", memory=None):
    """Sends requests for a while. Gives what the script counted; `memory`, a list, gets (seconds, KiB) meanwhile."""
    process = subprocess.Popen(
        [
            "wrk", "--connections", str(connections), "--threads", str(threads), "--duration", f"{seconds}s",
            "--timeout", "20s", "--script", str(SCRIPT), server.address, "--", str(tokens), str(seed), routes,
        ],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    output = []
    reader = threading.Thread(target=lambda: output.append(process.stdout.read()))
    reader.start()
    began = time.monotonic()
    try:
        while process.poll() is None:
            if memory is not None and server.process.poll() is None:
                memory.append((time.monotonic() - began, server.memory()))
            time.sleep(0.5)
    finally:
        if process.poll() is None:
            process.kill()
    reader.join()
    before, found, after = output[0].rpartition("RESULT ")
    if process.returncode or not found:
        raise Problem(f"wrk failed:\n{output[0]}")
    result = json.loads(after)
    result["examples"] = before.partition("EXAMPLES\n")[2].splitlines()
    return result


def shortcomings(result):
    """What of an answered load is wrong, in words; nothing if all of it is right."""
    words = {
        "wrong": "another user's name",
        "lost": "no identity",
        "failed": "wrong status, or incomplete",
        "unasked": "an answer to another request",
        "broken": "connections broken or timed out",
    }
    found = [f"{result[key]} × {text}" for key, text in words.items() if result[key]]
    if not result["checked"]:
        found.append("no answer was checked")
    found += [f"the route {key[6:]} was never answered" for key, count in result.items() if key.startswith("route ") and not count]
    return found
