"""Swift as tokens: where a declaration or a statement is, and what has a certain shape. Comments and white space do not count,
but for the end of a line, which can end a statement."""

import re

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*)|(?P<comment>/\*)|(?P<string>\#*"(?:"")?)|(?P<word>`\w+`|[@\#$]?\w+|'(?:\\.|[^'\\])+'
    |\.\.[.<]|[=!]==|&[+*-]|[=!<+*/%|&^-]=|&&|\|\||\?\?|->|<<|.)""",
    re.VERBOSE,
)
PAIRS = {"(": ")", "[": "]", "{": "}"}
# Where the end of a line ends no statement: behind these words, and before these.
GOES_ON_AFTER = set(", = -> && || ?? + - * / | < ( [ { if guard while for switch let var try await".split())
GOES_ON_WITH = set(". , = -> && || ?? ? : + - * / % | & ^ < > == != <= >= += -= { ) ]".split())
GOES_ON_WITH |= {"else", "catch", "where", "as", "is", "throws", "rethrows"}
# What stands in no list of what a closure takes.
AT_ONCE = set("for if guard while switch let var return try await func case".split())


class Misfit(Exception):
    """What was looked for is not there, or more often than once."""


class Source:
    """A text as tokens: what each says, where it stands, whether it begins a line, and which brackets belong together."""

    def __init__(self, text):
        self.text = text
        self.words, self.spans, self.leads, self.inside, self.partner = [], [], [], [], {}
        at, leads, opened = 0, True, []
        while at < len(text):
            kind, end = self._token(at)
            word = text[at:end]
            if kind != "word" and kind != "string":
                leads |= "\n" in word
            else:
                if opened and word == PAIRS[self.words[opened[-1]]]:
                    self.partner[opened[-1]] = len(self.words)
                    self.partner[len(self.words)] = opened.pop()
                self.inside.append(opened[-1] if opened else -1)
                if word in PAIRS:
                    opened.append(len(self.words))
                self.words.append(word)
                self.spans.append((at, end))
                self.leads.append(leads)
                leads = False
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

    def part(self, low, high):
        return self.text[self.spans[low][0] : self.spans[high - 1][1]] if high > low else ""

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

    def _block(self, index):
        """What is between the braces around a token."""
        brace = self.inside[index]
        while brace >= 0 and self.words[brace] != "{":
            brace = self.inside[brace]
        return (brace + 1, self.partner[brace]) if brace >= 0 else (0, len(self.words))

    def _ends(self, index, first):
        """Whether the statement that begins at `first` ends before the token at `index`."""
        before, word = self.words[index - 1], self.words[index]
        if before == ";" or before == ":" and self.words[first] in ("case", "default"):
            return True
        after = self.words[index + 1 : index + 3]
        goes_on = word in GOES_ON_WITH or word == "async" and after[0] == "throws" or before == "}" and after == [":", "{"]
        return self.leads[index] and before not in GOES_ON_AFTER and before != ":" and not goes_on

    def statement(self, index):
        """The statement that a token is in: the smallest one that braces hold."""
        low, high = self._block(index)
        first = at = self._after_head(low, high)
        while at < high:
            at = self.partner[at] + 1 if self.words[at] in PAIRS else at + 1
            if at >= high or self._ends(at, first):
                if index < at:
                    return first, min(at, high)
                first = at
        raise Misfit(f"no statement has {self.words[index]}")

    def _after_head(self, low, high):
        """Where the statements between braces begin: behind what a closure takes."""
        at = low
        while at < high and self.words[at] not in AT_ONCE and not (at > low and self.leads[at]):
            if self.words[at] == "in":
                return at + 1
            at = self.partner[at] + 1 if self.words[at] in PAIRS else at + 1
        return low

    def declarations(self, path):
        """Where each declaration stands that `path` names: heads, from the outside in, with > between."""
        found = [(0, len(self.words))]
        for head in path.split(" > "):
            inner = []
            for low, high in found:
                for start, _, _ in self.find(head, low, high):
                    if start == 0 or self.words[start - 1] != ".":
                        inner.append((start, self.statement(start)[1]))
            found = inner
        if not found:
            raise Misfit(f"there is no {path}")
        return found

    def body(self, low, high):
        """What is between the braces of a declaration."""
        at = low
        while at < high and self.words[at] != "{":
            at = self.partner[at] + 1 if self.words[at] in PAIRS else at + 1
        if at >= high:
            raise Misfit(f"{self.part(low, low + 3)} … has no body")
        return at + 1, self.partner[at]

    def changed(self, path, kind, what):
        """The text after one operation in the declarations that `path` names."""
        found = self.declarations(path)
        if kind in ("first", "body"):
            if len(found) != 1:
                raise Misfit(f"there are {len(found)} of {path}, not one")
            low, high = self.body(*found[0])
            start, end = self.spans[low - 1][1], self.spans[high][0]
            return f"{self.text[:start]}\n{what}\n{self.text[start if kind == 'first' else end :]}"
        shape, new = (what, "") if isinstance(what, str) else what
        runs = {run[0]: run for low, high in found for run in self.find(shape, low, high)}
        if len(runs) != 1:
            raise Misfit(f"{path} has this {len(runs)} times, not once: {shape}")
        low, high, held = runs.popitem()[1]
        if kind in ("drop", "instead"):
            low, high = self.statement(low)
        else:
            texts = [self.part(*run) for run in held]
            new = re.sub("…", lambda _: texts.pop(0) if texts else "…", new)
        return self.text[: self.spans[low][0]] + new + self.text[self.spans[high - 1][1] :]


OPERATIONS = ("drop", "instead", "replace", "first", "body")
