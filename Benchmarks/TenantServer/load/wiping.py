"""Wipes tenants of a loaded server as an operator does, and looks for what is left of them."""

import json
import pathlib
import time
import urllib.error
import urllib.parse
import urllib.request


def ask(server, token, method, path, timeout=120):
    """The status and the body, read as JSON if it is some."""
    request = urllib.request.Request(server.address + path, method=method, headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            status, body = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, body = error.code, error.read()
    try:
        return status, json.loads(body)
    except ValueError:
        return status, body


def wipe_path(user):
    return f"/tenants/{urllib.parse.quote(user, safe='')}/wipe"


def places_with(user, *folders):
    """Each file below the folders, logs apart, that has a tenant's name in it or in its path."""
    name = user.lower().encode()
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.name == "log.txt":
                continue
            if user.lower() in str(path).lower():
                yield str(path)
            elif path.is_file() and name in path.read_bytes().lower():
                yield str(path)


def refusal(server, token, user, status, code):
    """What is wrong with how a tenant's request is refused."""
    got, body = ask(server, token, "GET", "/account")
    found = body["error"]["code"] if isinstance(body, dict) and "error" in body else body
    if got != status or found != code:
        yield f"a request of {user} is answered with {got} {str(found)[:100]}, and not with {status} {code}"


def wiped(server, operator, user, before):
    """Wipes a tenant; what is wrong with the report."""
    status, forecast = ask(server, operator, "GET", wipe_path(user))
    if status != 200 or forecast["files"] < 1:
        yield f"the forecast of {user} is {status} {forecast}"
    if not before:
        yield f"nothing of {user} was found before the wipe: looking for it cannot fail"
    status, report = ask(server, operator, "POST", wipe_path(user))
    if status != 200 or not report["isComplete"] or report["files"] < 1 or report["keys"]["outcome"] != "destroyed":
        yield f"the report of {user} is {status} {report}"


def incomplete(server, operator, user):
    """Wipes a tenant after its ledger has gone: it must not be called complete."""
    status, report = ask(server, operator, "POST", wipe_path(user))
    if status != 503 or report["isComplete"] or report["keys"]["outcome"] != "kept":
        yield f"without its ledger, the report of {user} is {status} {report}"


def resumed(server, operator, user, patience=90):
    """Waits until a wipe that was interrupted is complete, which nobody asks for."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        status, wipes = ask(server, operator, "GET", "/wipes")
        found = [wipe for wipe in wipes if wipe.get("identity") == user]
        if status == 200 and found and found[0]["state"] == "complete":
            return
        time.sleep(0.2)
    yield f"{patience} s after the start the wipe of {user} is {status} {wipes}"


def forgotten(server, operator, user):
    """Removes the report of a wipe, which has the tenant's name."""
    status, body = ask(server, operator, "DELETE", wipe_path(user))
    if status != 204:
        yield f"the report of {user} was not removed: {status} {body}"
