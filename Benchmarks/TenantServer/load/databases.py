"""A PostgreSQL server of its own, with a database for each program; and rows of either engine."""

import os
import pathlib
import sqlite3
import subprocess

from servers import PACKAGE, Problem

SERVE = PACKAGE.parent / "Databases/Sources/DatabaseServers"


class PostgreSQL:
    """Starts it, and ends it with all that it wrote."""

    def __init__(self):
        environment = {**os.environ, "SCHEMA": (SERVE / "identity.sql").read_text()}
        self.process = subprocess.Popen(
            ["bash", SERVE / "serve.sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        ready = self.process.stdout.readline().split()
        if ready[:1] != ["ready"]:
            raise Problem("PostgreSQL did not start: it needs Debian's postgresql and pgbouncer")
        self.folder = ready[1]

    def url(self, role, name):
        return f"postgresql://{role}@/{name}?host={self.folder}"

    def make(self, name, program):
        """A database with the tables of a program; its URL by role."""
        self.tell(f"copy {name}")
        schema = subprocess.run([program, "schema"], capture_output=True, text=True, check=True).stdout
        psql(self.url("owner", name), "-1", "-v", "ON_ERROR_STOP=1", "-q", script=schema)
        return lambda role: self.url(role, name)

    def tell(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        if self.process.stdout.readline().strip() != "done":
            raise Problem(f'"{command}" failed')

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def psql(url, *options, script=None):
    done = subprocess.run(["psql", "-X", *options, url], input=script, capture_output=True, text=True)
    if done.returncode:
        raise Problem(f"psql: {done.stderr.strip()}")
    return done.stdout


def rows(database, query):
    """The rows of a query: of a file of SQLite, or of a URL of PostgreSQL, as a role that sees all."""
    if str(database).startswith("postgresql://"):
        lines = psql(str(database), "-qAt", "-F", "\t", "-c", query).splitlines()
        return [tuple(int(text) if text.isdigit() else text for text in line.split("\t")) for line in lines]
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def dump(url):
    """All that a database says, as text."""
    done = subprocess.run(["pg_dump", "--data-only", url], capture_output=True, text=True)
    if done.returncode:
        raise Problem(f"pg_dump: {done.stderr.strip()}")
    return done.stdout
