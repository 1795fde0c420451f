# The one place where files are touched: replacements, logs of records, and paths that stay below a directory.

FOLDER = "Sources/MultiIdentityPolicy/Storage/"
REPLACEMENT = FOLDER + "AtomicReplacement.swift"
NAMES = FOLDER + "AtomicReplacement+Names.swift"
LOG = FOLDER + "RecordLog.swift"
LOGFILE = FOLDER + "LogFile.swift"
SCAN = FOLDER + "RecordLogScan.swift"
FORMAT = FOLDER + "RecordLogFormat.swift"
BENEATH = FOLDER + "OpenFile+Beneath.swift"
CALLS = "Sources/CMultiIdentityFiles/CMultiIdentityFiles.c"
TESTS = "AFile|ALog|APath"

mutant(
    "half-a-file",
    "A file gets its name before its bytes are on the disk.",
    TESTS, REPLACEMENT,
    "        try file.synchronize()\n        // Before", "        // Before",
)
mutant(
    "name-not-lasting",
    "A directory is not made lasting once a file has its name.",
    TESTS, REPLACEMENT,
    "        try rename(commit)\n        try directory.synchronize()\n", "        try rename(commit)\n",
)
mutant(
    "temporary-file-stays",
    "A replacement that is dropped leaves its temporary file.",
    TESTS, REPLACEMENT,
    "        if let temporaryName { try? directory.unlink(temporaryName) }\n", "",
)
mutant(
    "swept-while-in-use",
    "A file that is being made is swept.",
    TESTS, NAMES,
    "guard try file.lock() else { return false }",
    "_ = try file.lock()",
)
mutant(
    "any-name-is-temporary",
    "A user's file whose name looks like a temporary one is swept.",
    TESTS, NAMES,
    "&& digits.count == 16", "&& digits.count >= 0",
)
mutant(
    "others-may-read-the-log",
    "A log that others can read is opened.",
    TESTS, LOGFILE,
    "guard status.permissions & 0o077 == 0 else {", "guard status.permissions & 0o033 == 0 else {",
)
mutant(
    "another-users-log",
    "A log that belongs to another user is opened.",
    TESTS, LOGFILE,
    "guard status.user == geteuid() else {", "guard status.user == geteuid() || status.isFile else {",
)
mutant(
    "damage-ends-the-log",
    "What comes after a damaged record is lost.",
    TESTS, SCAN,
    "let next = pending.dropFirst().firstIndex(of: RecordLogFormat.mark[0]) ?? pending.endIndex",
    "let next = pending.endIndex",
)
mutant(
    "payload-not-checked",
    "A record whose payload is damaged is taken for whole.",
    TESTS, SCAN,
    "guard Checksum(of: payload).value == frame.sum else { return skip() }",
    "guard payload.count == frame.length else { return skip() }",
)
mutant(
    "torn-tail-stays",
    "A torn tail is not cut off, so that the next record comes after it.",
    TESTS, LOG,
    "            if isTorn { try log.file.truncate(to: scan.end) }\n", "",
)
mutant(
    "failed-record-stays",
    "A record whose writing failed is found when the log is opened again.",
    TESTS, LOG,
    "                if (try? state.log.file.truncate(to: state.end)) != nil { state.hasRest = false }\n",
    "                state.hasRest = false\n",
)
mutant(
    "later-version-is-salvaged",
    "A log of a later version is taken for a damaged one.",
    TESTS, FORMAT,
    "return version > self.version ? .newer(version) : nil", "return version > self.version ? .damaged : nil",
)
mutant(
    "follows-links-out",
    "A symbolic link may lead out of the root.",
    TESTS, CALLS,
    ".resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,", ".resolve = RESOLVE_NO_MAGICLINKS,",
)
