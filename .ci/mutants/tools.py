# Mutants of strict findings, of the strict trait, and of the commands that find plain hops; .ci/check-mutants says what the words mean.

# -- Findings, and the strict trait --

mutant("exempt-and-reported", rule="7.1", breaks="What an exempt scope asks is reported.",
       file="MultiIdentity/Observing/StrictMode.swift", within="func report", drop=", !FindingExemption.isInForce")
mutant("watch-silences-levels", rule="7.1", breaks="While a strict test runs, levels with strict mode report nothing.",
       file="MultiIdentity/Observing/StrictMode.swift", within="func report",
       replace=("if isChecked {", "if isChecked, watch == nil {"))
mutant("entry-beyond-the-boundary", rule="7.1", breaks="Work begins in the function that drains the queue.",
       file="MultiIdentity/Observing/FindingOrigin.swift", within="static func here", drop=".prefix { !$0.isPackage }")
mutant("entries-are-one-place", rule="7.1", breaks="Findings of work that began elsewhere are one place.",
       file="MultiIdentity/Levels/FindingTally.swift", within="func isFirst", replace=("entry: origin.entry", "entry: nil"))
mutant("response-not-exempt", rule="7.1", breaks="A strict test finds what a response asks.",
       file="MultiIdentity/Levels/DiagnosticSettings.swift", within="func tell", replace=("FindingExemption.run {…}", "…"))
mutant("response-under-its-levels", rule="7.1", breaks="What a response hands over is reported.",
       file="MultiIdentity/Levels/DiagnosticSettings.swift", within="func tell",
       replace=("ThreadMirror.current().forResponses.bind {…}", "respond(self)"))
mutant("exempt-beyond-its-closure", rule="7.1", breaks="A task that a synchronous exempt scope starts stays exempt.",
       file="MultiIdentity/Levels/FindingWatch.swift", within="static func run<Value>(_ operation",
       drop="defer { exemption.end() }")
mutant("turn-lost-by-cancellation", rule="7.1", breaks="A cancelled test does not wait for its turn.",
       file="MultiIdentityTesting/Traits/StrictIdentityTrait.swift", within="static func take",
       replace=("await Task {…}.value", "for await _ in before {}"))
mutant("others-tasks-counted", rule="7.1", breaks="A strict test fails for another test's task.",
       file="MultiIdentityTesting/Traits/StrictIdentityTrait.swift", within="func respond(to finding: Finding, of",
       replace=("current != test", "current != test, isParallel"))

# -- The count of plain hops, and the file that the plugin generates --

COUNT, FIXED, SUPPRESSED = "PlainHopsCountTests", "CountedPackageTests/fixed", "CountedPackageTests/suppressed"

mutant("neighbours-are-one-target", breaks="A target is compared with the baseline of another one whose path begins alike.",
       file="CarryIdentity/Count/CountedCopy.swift", within="func isCounted", replace=('$0.path + "/"', "$0.path"), tests=FIXED)
mutant("gone-file-not-counted", breaks="Hops of a removed file stay in the baseline, and no one is told.",
       file="CarryIdentity/Count/CountedCopy.swift", within="func isCounted",
       replace=("options.targets.isEmpty || counted", "counted"), tests=SUPPRESSED)
mutant("partly-counted-forgotten", breaks="--fix forgets the hops of a target that was counted in part: its own baseline fails the next run.",
       file="CarryIdentity/Count/CountedCopy.swift", within="mutating func count",
       replace=("found.removeAll {…}", "found = []"), tests=FIXED)
mutant("tests-counted-unasked", breaks="Test targets are counted without being asked for.",
       file="CarryIdentity/Count/CountedCopy.swift", within="func isWanted", drop="&& (!isTest || options.tests)", tests=SUPPRESSED)
mutant("tools-of-tools", breaks="What a build tool depends on is counted.",
       file="CarryIdentity/Count/CountedCopy.swift", within="var buildTools", drop="open += targets.filter {…}", tests=COUNT)
mutant("written-before-it-is-known", breaks="--fix changes some files before it finds one that was edited.",
       file="CarryIdentity/Count/CountedCopy+Fixing.swift", within="func write(_ fix",
       replace=("let files = fix.texts.map {…}",
                "let files = fix.texts.map {…} ; for (place, text) in files where try String(contentsOf: place, encoding: .utf8) == text.copied { try text.changed.write(to: place, atomically: true, encoding: .utf8) }"),
       tests=FIXED)
mutant("link-replaced", breaks="--fix replaces a link by a file.",
       file="CarryIdentity/Count/CountedCopy+Fixing.swift", within="func write(_ fix",
       drop=".resolvingSymlinksInPath()", tests=FIXED)
mutant("column-is-the-line", breaks="SARIF has the line for the column.",
       file="CarryIdentity/Count/HopReport+SARIF.swift", within="var sarif",
       replace=('"startColumn": hop.column', '"startColumn": hop.line'), tests=COUNT)
mutant("own-overload-preferred", breaks="A target's own overload of a queue's function calls itself.",
       file="CarryIdentity/Generator/Shadow.swift", within="func lines", drop="&& !isOverloaded", tests="GeneratedFileTests")
mutant("default-argument-not-inlinable", breaks="A public function's default argument cannot hop.",
       file="CarryIdentity/Generator/TargetSources.swift", within="func read(",
       replace=("if isPublic, word", 'if isPublic, word == "}", word'), tests="GeneratedFileTests")
