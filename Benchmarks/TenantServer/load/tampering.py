"""Spoils what a right run left behind, one thing at a time, and looks that the reading of traces notices each."""

import contextlib
import re
import shutil
import sqlite3
import types

import traces


def change(database, statement):
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute(statement)
        connection.commit()


def rewrite(path, edit):
    text = path.read_text(encoding="utf-8")
    edited = edit(text)
    assert edited != text, f"{path} has nothing to spoil"
    path.write_text(edited, encoding="utf-8")


def change_bytes(path, old, new):
    data = path.read_bytes()
    assert old in data, f"{path} has nothing to spoil"
    path.write_bytes(data.replace(old, new, 1))


def append_name(path):
    with open(path, "ab") as file:
        file.write(f"{path.parent.name}\n".encode())


FIRST_ENTRY = "(SELECT MIN(entry) FROM receipts)"
SPOILT = {
    "a job is missing": lambda server, ledger: change(server.jobs, "DELETE FROM job_notes WHERE rowid = 1"),
    "a job ran twice": lambda server, ledger: change(server.jobs, "INSERT INTO job_notes SELECT * FROM job_notes WHERE rowid = 1"),
    "a job ran as another": lambda server, ledger: change(server.jobs, "UPDATE job_notes SET made_as = 'eve' WHERE rowid = 1"),
    "a job is open": lambda server, ledger: change(
        server.jobs, "UPDATE jobs SET state = 'waiting', finished_at = NULL WHERE rowid = 1"
    ),
    "a receipt is missing": lambda server, ledger: change(ledger.database, f"DELETE FROM receipts WHERE entry = {FIRST_ENTRY}"),
    "a receipt is another's": lambda server, ledger: change(
        ledger.database, f"UPDATE receipts SET made_name = 'eve' WHERE entry = {FIRST_ENTRY}"
    ),
    "an entry is another's": lambda server, ledger: change(
        ledger.database, f"UPDATE entries SET owner_name = 'eve' WHERE number = {FIRST_ENTRY}"
    ),
    "a record is missing": lambda server, ledger: rewrite(
        server.data / "background.jsonl", lambda text: text.partition("\n")[2]
    ),
    "a log line is another's": lambda server, ledger: rewrite(
        server.log, lambda text: re.sub(r"identity=\S+ (?=marker=)", "identity=eve ", text, count=1)
    ),
    "a log line is nobody's": lambda server, ledger: rewrite(
        server.log, lambda text: re.sub(r"identity=\S+ (?=marker=)", "", text, count=1)
    ),
    "a file is another's": lambda server, ledger: next(server.data.glob("files/*/*")).write_text("eve\n"),
    "a file is another's by its header": lambda server, ledger: change_bytes(
        next(server.data.glob("files/*/*")), b"user", b"ruse"
    ),
    "a file can be read": lambda server, ledger: append_name(next(server.data.glob("files/*/*"))),
}


def shortcomings(server, ledger, folder):
    """Each way of spoiling that goes unnoticed."""
    for name, spoil in SPOILT.items():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(server.folder, folder / "server")
        shutil.copytree(ledger.folder, folder / "ledger")
        copy = types.SimpleNamespace(
            log=folder / "server/log.txt", data=folder / "server/data", jobs=folder / "server/jobs.sqlite"
        )
        other = types.SimpleNamespace(database=folder / "ledger/ledger.sqlite")
        spoil(copy, other)
        if not traces.read(copy, other).shortcomings:
            yield f"{name}, and nothing notices"
    shutil.rmtree(folder, ignore_errors=True)
