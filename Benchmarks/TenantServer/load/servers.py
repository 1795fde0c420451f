"""Builds, starts, stops and kills the server and its ledger."""

import base64
import os
import pathlib
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request

PACKAGE = pathlib.Path(__file__).resolve().parents[3] / "Docs/Examples/TenantServer"


class Problem(Exception):
    """What keeps a check from going on; its text is for people."""


def build(configuration):
    """Builds both programs, and gives the folder that they are in.

    A release has Swift's libraries linked in: under valgrind, asynchronous code needs that.
    """
    command = ["swift", "build", "--package-path", str(PACKAGE), "-c", configuration]
    if configuration == "release":
        command.append("--static-swift-stdlib")
    for product in ("tenant-server", "ledger"):
        if subprocess.run([*command, "--product", product], stdout=sys.stderr).returncode:
            raise Problem(f"{product} does not build")
    folder = subprocess.run([*command, "--show-bin-path"], capture_output=True, text=True, check=True).stdout.strip()
    return pathlib.Path(folder)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def key_ring():
    return "check:" + base64.b64encode(secrets.token_bytes(32)).decode()


class Program:
    """One program, which can be started, stopped, killed and started again; its log goes on."""

    def __init__(self, command, folder, environment):
        self.command, self.folder, self.log = command, pathlib.Path(folder), pathlib.Path(folder) / "log.txt"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **environment}
        self.process = None

    def start(self, patience=30):
        with open(self.log, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                self.command, env=self.environment, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
            )
        end = time.monotonic() + patience
        while not self.answers():
            if self.process.poll() is not None:
                raise Problem(f"{self.name} ended with {self.process.returncode}:\n{self.last_words()}")
            if time.monotonic() > end:
                self.kill()
                raise Problem(f"{self.name} does not answer within {patience} s:\n{self.last_words()}")
            time.sleep(0.05)
        return self

    def last_words(self):
        return "".join(open(self.log, encoding="utf-8", errors="replace").readlines()[-5:])

    def memory(self):
        """The resident set, in KiB."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))

    def stop(self, patience=30):
        """Asks it to stop, and waits until it has finished what it began."""
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Problem(f"{self.name} does not stop within {patience} s of SIGTERM") from None
        if code:
            raise Problem(f"{self.name} stopped with {code}:\n{self.last_words()}")

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.kill()


class Ledger(Program):
    """The second process: it keeps a ledger for each user, and believes what is signed by these keys."""

    def __init__(self, programs, folder, flags=(), urls=None):
        self.port, self.keys = free_port(), key_ring()
        self.database = urls("owner") if urls else pathlib.Path(folder) / "ledger.sqlite"
        self.program = programs / "ledger"
        # By the option, as an operator would; the workers' by the environment.
        flags = [*flags, "--database", urls("app")] if urls else flags
        environment = {
            "LEDGER_DATABASE": str(self.database),
            **({"LEDGER_WORKERS_DATABASE": urls("job_worker")} if urls else {}),
            "LEDGER_PORT": str(self.port),
            "LEDGER_CLAIM_KEYS": self.keys,
            "LEDGER_JOB_KEYS": key_ring(),
            "LEDGER_JOB_LEASE_MILLISECONDS": "2000",
            "LEDGER_SYNCHRONOUS": "normal",
            "LEDGER_LOG_LEVEL": "warning",
        }
        super().__init__([str(self.program), "serve", *flags], folder, environment)

    @property
    def name(self):
        return "ledger"

    def answers(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class Server(Program):
    """The HTTP server, with a folder of its own for its log and its data; alone, or with a ledger that it calls."""

    def __init__(self, programs, folder, secret=None, flags=(), wrapper=(), ledger=None, environment=None, protects=False, urls=None):
        self.jobs = urls("owner") if urls else pathlib.Path(folder) / "jobs.sqlite"
        self.program = programs / "tenant-server"
        self.data = pathlib.Path(folder) / "data"
        self.secret = secret or secrets.token_hex(32)
        self.port = free_port()
        environment = {
            "TENANT_JWT_SECRET": self.secret, "TENANT_HTTP_PORT": str(self.port), "TENANT_DATA_FOLDER": str(self.data),
            **(environment or {}),
        }
        if protects:
            environment["TENANT_MASTER_KEY"] = base64.b64encode(secrets.token_bytes(32)).decode()
        if ledger:
            environment |= {
                "TENANT_LEDGER_PORT": str(ledger.port),
                "TENANT_LEDGER_KEYS": ledger.keys,
                "TENANT_JOBS_DATABASE": urls("app") if urls else str(self.jobs),
                **({"TENANT_JOBS_WORKERS_DATABASE": urls("job_worker")} if urls else {}),
                "TENANT_JOBS_KEYS": key_ring(),
            }
        super().__init__([*wrapper, str(self.program), "serve", *flags], folder, environment)

    @property
    def name(self):
        return "tenant-server"

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def answers(self):
        try:
            urllib.request.urlopen(self.address + "/health", timeout=5).close()
            return True
        except OSError:
            return False

    def tokens(self, path, *arguments):
        """Writes tokens to a file, and gives them by user."""
        path.parent.mkdir(parents=True, exist_ok=True)
        command = [str(self.program), "token", "--output", str(path), *arguments]
        if subprocess.run(command, env=self.environment).returncode:
            raise Problem("no tokens were made")
        return dict(line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8"))
