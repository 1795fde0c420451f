"""Swift as tokens: finds a declaration, and tokens of a given shape. Comments and white space do not count."""

import re

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*)|(?P<comment>/\*)|(?P<string>\#*"(?:"")?)|(?P<word>`\w+`|\#/.*?/\#|[@\#$]?\w+|'(?:\\.|[^'\\])+'
    |\.\.[.<]|[=!]==|&[+*-]|[=!<+*/%|&^-]=|&&|\|\||\?\?|->|<<|.)""",
    re.VERBOSE,
)
PAIRS = {"(": ")", "[": "]", "{": "}"}
OPERATIONS = ("drop", "replace", "first", "body")


class Misfit(Exception):
    """The searched text does not occur, or more than once."""


class Source:
    """A text as tokens: their texts, their positions, and matching brackets."""

    def __init__(self, text):
        self.text = text
        self.words, self.spans, self.partner = [], [], {}
        at, opened = 0, []
        while at < len(text):
            kind, end = self._token(at)
            if kind in ("word", "string"):
                word = text[at:end]
                if opened and word == PAIRS[self.words[opened[-1]]]:
                    self.partner[opened[-1]] = len(self.words)
                    self.partner[len(self.words)] = opened.pop()
                if word in PAIRS:
                    opened.append(len(self.words))
                self.words.append(word)
                self.spans.append((at, end))
            at = end

    def _token(self, at):
        found = TOKEN.match(self.text, at)
        end = found.end()
        if found.lastgroup == "comment":
            end = self.text.index("*/", end) + 2
        elif found.lastgroup == "string":
            quotes = found[0].lstrip("#")
            hashes = "#" * (len(found[0]) - len(quotes))
            while not self.text.startswith(quotes + hashes, end):
                if self.text.startswith("\\" + hashes + "(", end):
                    end, depth = end + len(hashes) + 2, 1
                    while depth:
                        after = self._token(end)[1]
                        depth += {"(": 1, ")": -1}.get(self.text[end:after], 0)
                        end = after
                else:
                    end += 2 if self.text.startswith("\\" + hashes, end) else 1
            end += len(quotes + hashes)
        return found.lastgroup, end

    def find(self, shape, low=0, high=None):
        """Each run of tokens from `low` to `high` that has the shape, with the runs that its … stand for: each … for all
        that is left of the brackets that it stands in."""
        wanted, high = Source(shape).words, len(self.words) if high is None else high
        runs = []
        for start in range(low, high):
            at, opened, held = start, [], []
            for word in wanted:
                if word == "…":
                    if not opened:
                        raise Misfit(f"a … stands in no brackets: {shape}")
                    held.append((at, self.partner[opened[-1]]))
                    at = held[-1][1]
                elif at < high and self.words[at] == word:
                    if word in PAIRS:
                        opened.append(at)
                    elif opened and self.partner[opened[-1]] == at:
                        opened.pop()
                    at += 1
                else:
                    break
            else:
                runs.append((start, at, held))
        return runs

    def bodies(self, path):
        """The text between the braces of each declaration that `path` names, heads from the outside in with > between: where
        its head begins, and the tokens from the first to the brace that closes."""
        found = [(0, 0, len(self.words))]
        for head in path.split(" > "):
            inner = []
            for _, low, high in found:
                for start, _, _ in self.find(head, low, high):
                    at = start
                    while at < high and self.words[at] != "{":
                        at = self.partner[at] + 1 if self.words[at] in PAIRS else at + 1
                    if at < high and self.words[start - 1] != ".":
                        inner.append((start, at + 1, self.partner[at]))
            found = inner
        if not found:
            raise Misfit(f"there is no {path}")
        return found

    def changed(self, path, kind, what):
        """The text after one operation in the declarations that `path` names."""
        found = self.bodies(path)
        if kind in ("first", "body"):
            if len(found) != 1:
                raise Misfit(f"there are {len(found)} of {path}, not one")
            _, low, high = found[0]
            start, end = self.spans[low - 1][1], self.spans[high][0]
            return f"{self.text[:start]}\n{what}\n{self.text[start if kind == 'first' else end :]}"
        shape, new = (what, "") if kind == "drop" else what
        runs = {run[0]: run for _, low, high in found for run in self.find(shape, low, high)}
        if len(runs) != 1:
            raise Misfit(f"{path} has this {len(runs)} times, not once: {shape}")
        low, high, held = runs.popitem()[1]
        texts = [self.text[self.spans[low][0] : self.spans[high - 1][1]] if high > low else "" for low, high in held]
        new = re.sub("…", lambda _: texts.pop(0) if texts else "…", new)
        return self.text[: self.spans[low][0]] + new + self.text[self.spans[high - 1][1] :]
