"""Mutants as the files in this folder describe them: what each breaks, whether it still fits the code, and a copy with all of them."""

import dataclasses
import itertools
import pathlib
import re
import runpy
import subprocess

from structure import OPERATIONS, Misfit, Source

# What asks for the mutant in files that do not see MultiIdentity: in C, and in the code of the commands.
ASKS_IN_C = """extern char *getenv(const char *); extern int atoi(const char *);
static inline _Bool isMutant(int number) { char *chosen = getenv("MULTI_IDENTITY_MUTANT"); return chosen && atoi(chosen) == number; }
"""
ASKS_IN_COMMAND = """import Foundation
private let chosen = ProcessInfo.processInfo.environment["MULTI_IDENTITY_MUTANT"]
private func isMutant(_ number: Int) -> Bool { chosen == "\\(number)" }
"""
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Problem(Exception):
    pass


@dataclasses.dataclass(frozen=True)
class Mutant:
    name: str
    rule: str
    breaks: str
    tests: str  # a filter of tests; "" for an error of order, which schedules look for
    file: str
    within: str
    operations: dict

    @property
    def noticed_by(self):
        """What notices it: the tests of the root, those of Integrations, or schedules."""
        return "schedules" if not self.tests else "Integrations" if self.file.startswith("Sources/Integrations/") else "root"


def rules():
    return re.findall(r"^### (\d+\.\d+) ", (ROOT / "Docs/Semantics.md").read_text(encoding="utf-8"), re.MULTILINE)


def marked_tests():
    """By rule, a filter of the tests that are marked with it."""
    found = {}
    marked = re.compile(r'@(Suite|Test)\(\s*"(?:[^"\\]|\\.)*"(.*?)\b(?:func|struct|class)\s+`?(\w+)', re.DOTALL)
    for file in sorted([*(ROOT / "Tests").rglob("*.swift"), *(ROOT / "Sources/Integrations/Tests").rglob("*.swift")]):
        for kind, traits, name in marked.findall(file.read_text(encoding="utf-8")):
            for marks in re.findall(r"\.rule\(([^)]*)\)", traits):
                for rule in re.findall(r'"([^"]*)"', marks):
                    found.setdefault(rule, []).append(rf"/{name}\(.*/{re.escape(file.name)}:" if kind == "Test" else rf"\.{name}/")
    return {rule: "|".join(tests) for rule, tests in found.items()}


def made(known, name, *, breaks, file, within, rule="", tests="", **operations):
    """One mutant, as the files of mutants describe it."""
    if not re.fullmatch(r"[a-z0-9-]+", name) or not breaks.endswith("."):
        raise Problem(f"{name}: needs a lower-case name, and a sentence")
    if rule not in known and (rule or not tests):
        raise Problem(f"{name}: Docs/Semantics.md has no rule {rule}")
    if not operations or not set(operations) <= set(OPERATIONS):
        raise Problem(f"{name}: needs one or more of {', '.join(OPERATIONS)}, and nothing else")
    if not (ROOT / "Sources" / file).is_file():
        raise Problem(f"{name}: there is no Sources/{file}")
    return Mutant(name, rule, breaks, tests, f"Sources/{file}", within, operations)


def read_mutants():
    """All mutants, in the order of the files' names: a mutant's number is its position, from 1."""
    mutants, known, marked = [], rules(), marked_tests()
    for path in sorted(HERE.glob("*.py")):
        if path.stem in ("planting", "structure"):
            continue
        made_here = []
        runpy.run_path(str(path), {"mutant": lambda name, **how: made_here.append(made(known, name, **how))})
        if path.stem != "order":
            made_here = [dataclasses.replace(one, tests=one.tests or marked[one.rule]) for one in made_here]
        mutants += made_here
    names = [mutant.name for mutant in mutants]
    for name in {name for name in names if names.count(name) > 1}:
        raise Problem(f"{name}: there are two of that name")
    return mutants


def changed_body(mutant, source):
    """The position and the head of the body that a mutant changes, and the new body."""
    changed = source
    try:
        for operation, what in mutant.operations.items():
            changed = Source(changed.changed(mutant.within, operation, what))
        if changed.words == source.words:
            raise Misfit("it changes nothing")
        for head, first, last in source.bodies(mutant.within):
            start, end = source.spans[first - 1][1], source.spans[last][0]
            after = len(source.text) - end
            if changed.text[:start] == source.text[:start] and changed.text[len(changed.text) - after :] == source.text[end:]:
                return start, end, source.words[head : first - 1], changed.text[start : len(changed.text) - after]
        raise Misfit("it changes more than a body")
    except Misfit as misfit:
        raise Problem(f"{mutant.name}: {mutant.file}: {misfit}") from None


def returning(head, body):
    """A body that is now one of several, and so needs a `return` before its one expression."""
    source = Source(body)
    words = source.words
    # The arrow of the result, and not one of a parameter's type.
    opened = [0, *itertools.accumulate(("(" == word) - (")" == word) for word in head)]
    gives = any(word == "->" and not depth for word, depth in zip(head, opened)) or "var" in head[:4]
    begins = {"return", "let", "var", "guard", "for", "while", "do", "defer", "throw", "repeat", "_"}
    if not words or not gives or words[0] in begins or "return" in words and words[0] in ("if", "switch"):
        return body
    at = 0
    while (after := source.partner.get(at, at) + 1) < len(words):
        if "\n" in body[source.spans[after - 1][1] : source.spans[after][0]] and words[after] not in (".", "??", "?", ":", "&&", "||"):
            return body
        at = after
    return f"\nreturn {body.strip()}\n"


def planted(mutants):
    """The files with all of these mutants: each changed body once for each, selected by the mutant's number."""
    places = {}
    for number, mutant in enumerate(mutants, 1):
        source = Source((ROOT / mutant.file).read_text(encoding="utf-8"))
        start, end, head, body = changed_body(mutant, source)
        places.setdefault(mutant.file, {}).setdefault((start, end), (head, []))[1].append((number, body))
    texts = {"Sources/MultiIdentity/Planted.swift": (HERE / "Planted.swift").read_text(encoding="utf-8")}
    for file, bodies in places.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        spans = sorted(bodies)
        if any(later[0] < earlier[1] for earlier, later in zip(spans, spans[1:])):
            raise Problem(f"{file}: a body that a mutant changes is in one that another changes")
        for start, end in reversed(spans):
            head, others = bodies[start, end]
            # The parameters of a closure stay before the choice.
            named = re.match(r"\s*[\w, ]+ in\n", text[start:end])
            skipped = named.end() if named else 0
            others, start = [(number, body[skipped:]) for number, body in others], start + skipped
            chain = " else ".join(f"if (isMutant({number})) {{{returning(head, body)}\n}}" for number, body in others)
            text = f"{text[:start]}\n{chain} else {{{returning(head, text[start:end])}}}\n{text[end:]}"
        if file.endswith(".c") or file.startswith("Sources/CarryIdentity/"):
            asks = ASKS_IN_C if file.endswith(".c") else ASKS_IN_COMMAND
        else:
            sees = r"^(public |package )?import MultiIdentity$"
            asks = "" if file.startswith("Sources/MultiIdentity/") or re.search(sees, text, re.MULTILINE) else "import MultiIdentity\n"
        texts[file] = asks + text
    return texts


def copy_tree(tree, changed):
    """A copy of this repository, with the given files replaced; unchanged files are not touched, so that builds are quick."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\0")
    # A folder's symbolic link is copied as one.
    for name in listed:
        if name and (ROOT / name).is_symlink() and (ROOT / name).is_dir() and not (tree / name).is_symlink():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).symlink_to((ROOT / name).readlink())
    wanted = {name for name in listed if name and (ROOT / name).is_file()} | set(changed)
    for name in wanted:
        target, content = tree / name, changed[name].encode() if name in changed else (ROOT / name).read_bytes()
        if not target.is_file() or content != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    for part in ("Sources", "Tests", "Benchmarks/Schedules"):
        for path in (tree / part).rglob("*"):
            if path.is_file() and str(path.relative_to(tree)) not in wanted and path.name != "Package.resolved":
                path.unlink()
