"""Mutants as the files beside this one write them: what each breaks, whether it still fits the code, and copies to plant it in."""

import dataclasses
import os
import pathlib
import re
import runpy
import signal
import subprocess

from structure import OPERATIONS, Misfit, Source

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# A mutant may leave something unused: here a warning is none of its errors.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "MULTI_IDENTITY_CHECKED"}
ENVIRONMENT["SWIFT_BACKTRACE"] = "enable=no"


class Problem(Exception):
    pass


@dataclasses.dataclass(frozen=True)
class Mutant:
    name: str
    rule: str
    breaks: str
    tests: str
    file: str
    within: str
    operations: dict


def rules():
    text = (ROOT / "Docs/Semantics.md").read_text(encoding="utf-8")
    return re.findall(r"^### (\d+\.\d+) ", text, re.MULTILINE)


def made(known, name, *, rule, breaks, tests, file, within, **operations):
    """One mutant, as the files of mutants write it."""
    if not re.fullmatch(r"[a-z0-9-]+", name) or not breaks.endswith(".") or not tests:
        raise Problem(f"{name}: needs a name of small letters, a sentence and tests")
    if rule not in known:
        raise Problem(f"{name}: Docs/Semantics.md has no rule {rule}")
    if not operations or not set(operations) <= set(OPERATIONS):
        raise Problem(f"{name}: needs one or more of {', '.join(OPERATIONS)}, and nothing else")
    if not (ROOT / file).is_file():
        raise Problem(f"{name}: there is no {file}")
    return Mutant(name, rule, breaks, tests, file, within, operations)


def read_mutants(pattern="[0-9]*.py", **given):
    """Those in the files of that name, with what all of them are given."""
    mutants, known = [], rules()
    for path in sorted((ROOT / ".ci/mutants").glob(pattern)):
        try:
            runpy.run_path(str(path), {"mutant": lambda name, **how: mutants.append(made(known, name, **given, **how))})
        except TypeError as error:
            raise Problem(f"{path.name}: {error}") from None
    names = [mutant.name for mutant in mutants]
    for name in {name for name in names if names.count(name) > 1}:
        raise Problem(f"{name}: there are two of that name")
    return mutants


def read_order_mutants():
    return read_mutants("order.py", tests=".ci/check-order-mutants")


def original(mutant):
    return Source((ROOT / mutant.file).read_text(encoding="utf-8"), mutant.file.endswith(".swift"))


def broken(mutant, source=None):
    """What its file becomes."""
    before = source = source or original(mutant)
    try:
        for operation, what in mutant.operations.items():
            source = Source(source.changed(mutant.within, operation, what), source.is_swift)
    except Misfit as misfit:
        raise Problem(f"{mutant.name}: {mutant.file}: {misfit}") from None
    if source.words == before.words:
        raise Problem(f"{mutant.name}: changes nothing")
    return source


# -- Several at once --


def changed_body(mutant, source):
    """Where the body stands that a mutant changes, its head, and what the body becomes."""
    text, changed = source.text, broken(mutant, source).text
    for low, high in source.declarations(mutant.within):
        first, last = source.body(low, high)
        start, end = source.spans[first - 1][1], source.spans[last][0]
        after = len(text) - end
        if changed[:start] == text[:start] and changed[len(changed) - after :] == text[end:]:
            return start, end, source.words[low : first - 1], changed[start : len(changed) - after]
    raise Problem(f"{mutant.name}: changes more than a body")


def returning(head, body):
    """A body that stands beside others, and so has to say that it returns its one expression."""
    source = Source(body)
    words = source.words
    gives = "->" in head or head[0] == "var" or "var" in head[:4]
    begins = {"return", "let", "var", "guard", "for", "while", "do", "defer", "throw", "repeat", "_"}
    if not words or not gives or words[0] in begins or "return" in words and words[0] in ("if", "switch"):
        return body
    return f"\nreturn {body.strip()}\n" if source.statement(0)[1] == len(words) else body


def planted_at_once(mutants):
    """The files with all of these mutants in them, each behind the question of whether it is the one by its number, from 1."""
    files = {}
    for number, mutant in enumerate(mutants, 1):
        source = original(mutant)
        start, end, head, body = changed_body(mutant, source)
        files.setdefault(mutant.file, {}).setdefault((start, end), (head, []))[1].append((number, body))
    texts = {}
    for file, places in files.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        spans = sorted(places)
        if any(later[0] < earlier[1] for earlier, later in zip(spans, spans[1:])):
            raise Problem(f"{file}: a body that a mutant changes stands in one that another changes")
        for start, end in reversed(spans):
            head, bodies = places[start, end]
            chain = " else ".join(
                f"if isOrderFault({number}) {{{returning(head, body)}\n}}" for number, body in bodies
            )
            text = f"{text[:start]}\n{chain} else {{{returning(head, text[start:end])}}}\n{text[end:]}"
        asks = file.startswith("Sources/MultiIdentity/") or re.search(r"^(public )?import MultiIdentity$", text, re.MULTILINE)
        texts[file] = text if asks else f"import MultiIdentity\n{text}"
    return texts


# -- Copies, and what runs in them --


def copy_tree(tree, parts, changed={}):
    """These parts of the repository, as they are here or as they were changed; what is the same stays untouched, so that
    builds are quick."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *parts],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\0")
    wanted = {name for name in listed if name and (ROOT / name).is_file()} | set(changed)
    for name in wanted:
        target = tree / name
        content = changed[name].encode() if name in changed else (ROOT / name).read_bytes()
        if not target.is_file() or content != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    for part in parts:
        for path in sorted((tree / part).rglob("*"), reverse=True):
            if path.is_file() and str(path.relative_to(tree)) not in wanted and path.name != "Package.resolved":
                path.unlink()


def end_session(leader):
    """Kills all of a session: `swift test` runs the tests in a process group of their own, which would go on for ever."""
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            session = int(entry.read_text(errors="replace").rpartition(")")[2].split()[3])
            if session == leader:
                os.kill(int(entry.parent.name), signal.SIGKILL)
        except (OSError, ValueError, IndexError):
            pass  # ended meanwhile
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(command, tree, limit, environment={}):
    """The exit status (None: it took too long) and what was printed."""
    with subprocess.Popen(
        command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        start_new_session=True, env={**ENVIRONMENT, **environment},
    ) as process:
        try:
            output, _ = process.communicate(timeout=limit)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            end_session(process.pid)
            output, _ = process.communicate()
            return None, output
