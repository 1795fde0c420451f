# Files with owners: who owns what is made, what keeps its owner, where paths lead, and what a crash leaves.

FOLDER = "Sources/MultiIdentityFiles/Files/"
MAKING = FOLDER + "IdentityFileSystem+Making.swift"
STORAGE = "Sources/MultiIdentityFiles/Storage/"
TESTS = "AFile|FilesThat|FilesOf|ARepair|APath|AChange"
STORAGE_TESTS = "AFile|ALog|ALock|APath"

mutant(
    "owner-of-the-ui", rule="11.1", breaks="A new file belongs to whom the UI level names.",
    file=MAKING, within="func creator", replace=("for: .files", "for: .ui"),
    tests=TESTS,
)
mutant(
    "unset-owner-not-recorded", rule="11.1", breaks="A file that is made under no identity is as one that was never seen.",
    file=MAKING, within="func make",
    replace=("let owner {", "let owner, owner != .unset {"),
    tests=TESTS,
)
mutant(
    "truncated-file-keeps-its-owner", rule="11.1", breaks="A file that is emptied stays its old owner's.",
    file=FOLDER + "IdentityFileSystem+Opening.swift", within="func empty", instead=("setOwner", "_ = owner"),
    tests=TESTS,
)
mutant(
    "copy-is-the-copiers", rule="11.2", breaks="A copy belongs to whoever copies.",
    file=FOLDER + "IdentityFileSystem+Copying.swift", within="func copy",
    replace=("owner = if let kept { kept } else { try there.creator(target) }", "owner = try there.creator(target)"),
    tests=TESTS,
)
mutant(
    "directory-keeps-its-old-names", rule="11.2",
    breaks="The index does not know what a renamed directory's files are called.",
    file=FOLDER + "OwnerTable.swift", within="func apply",
    replace=("name.moved(…)", "name.moved(…), other == new"),
    tests=TESTS,
)
mutant(
    "replacement-keeps-the-owner", rule="11.3", breaks="Whoever replaces a file does not own it.",
    file=FOLDER + "IdentityFileSystem+Replacing.swift", within="extension IdentityFileSystem",
    replace=("if ownership == .opener", "if ownership == .opener, old.size == 0"),
    tests=TESTS,
)
mutant(
    "inode-is-enough", rule="11.4",
    breaks="A file that was made behind our back has the owner of the one whose inode it got.",
    file=STORAGE + "FileKey.swift", within="init(_ status", replace=("hasBirthTimes ? status.birthTime", "hasBirthTimes ? 0"),
    tests=TESTS,
)
mutant(
    "damage-doubts-nothing", rule="11.4", breaks="A damaged record gives a file back to its former owner.",
    file=FOLDER + "OwnerTable.swift", within="func noteLoss", drop="recordedSince",
    tests=TESTS,
)
mutant(
    "doubt-ends-with-a-restart", rule="11.4", breaks="After a repair and a restart an uncertain owner is believed again.",
    file=FOLDER + "OwnerBlock.swift", within="func add", replace=("entry.isUncertain ? 2 : 0", "entry.isUncertain ? 0 : 0"),
    tests=TESTS,
)
mutant(
    "adopts-unasked", rule="11.4", breaks="A repair gives a file that took another's place that one's owner.",
    file=FOLDER + "FileRepairer+Index.swift", within="func bring",
    replace=("replaced == .adopted", "replaced == .reported || replaced == .adopted"),
    tests=TESTS,
)
mutant(
    "goes-up", rule="11.5", breaks="A path may have .. in it.",
    file=FOLDER + "RootedPath.swift", within="init(_ path",
    replace=("contains(where: {…})", "first.map({…}) == true"),
    tests=TESTS,
)
mutant(
    "follows-links-out", rule="11.5", breaks="A symbolic link may lead out of the root.",
    file="Sources/CMultiIdentityFiles/CMultiIdentityFiles.c", within="mif_open_beneath", replace=("RESOLVE_BENEATH |", ""),
    tests=STORAGE_TESTS,
)
mutant(
    "half-a-file", rule="11.6", breaks="A file gets its name before its bytes are on the disk.",
    file=STORAGE + "AtomicReplacement.swift", within="func commit", drop="file.synchronize",
    tests=STORAGE_TESTS,
)
mutant(
    "swept-while-in-use", rule="11.6", breaks="A file that is being made is swept.",
    file=STORAGE + "AtomicReplacement+Names.swift", within="func sweep", instead=("file.lock", "_ = try file.lock(as: name, in: directory)"),
    tests=STORAGE_TESTS,
)
mutant(
    "lock-of-a-removed-name", rule="11.6", breaks="A lock counts though the locked file's name is gone, or another file's.",
    file=STORAGE + "NamedLock.swift", within="func lock", instead=("isNamed", "return .taken"),
    tests=STORAGE_TESTS,
)
mutant(
    "removed-log-acknowledges", rule="11.6", breaks="A log whose file was taken away goes on as if what it is told lasted.",
    file=STORAGE + "RecordLog.swift", within="func append", drop="checkName",
    tests=STORAGE_TESTS,
)
mutant(
    "damaged-tail-cut-off", rule="11.6", breaks="A damaged record that was acknowledged goes as one that a crash cut short.",
    file=STORAGE + "RecordLogTail.swift", within="func isTorn", first="if place.count > 0 { return true }",
    tests=STORAGE_TESTS + "|TheEnd",
)
mutant(
    "torn-tail-stays", rule="11.6", breaks="A torn tail is not cut off, so that the next record comes after it.",
    file=STORAGE + "LogFile+Reading.swift", within="func read", drop="if isTorn",
    tests=STORAGE_TESTS,
)
POWER_TESTS = "AChange|ALog|AFileThatIsReplacedAtOnce"

BLOCK_TESTS = "AnIndex"

mutant(
    "wiped-owner-in-its-block", rule="13.1", breaks="A log that is written anew has the files that a wipe removed.",
    file=FOLDER + "OwnerIndex+Rewriting.swift", within="func write",
    replace=("where entry.owner != owner || !keys.contains(key)", ""),
    tests=BLOCK_TESTS,
)
mutant(
    "block-over-what-came-later", rule="11.4", breaks="A file that was given to another is found as its old owner's, too.",
    file=FOLDER + "OwnerEntries.swift", within="func of", replace=("where !isChanged(block.key(row))", ""),
    tests=BLOCK_TESTS,
)
mutant(
    "block-in-no-order", rule="11.4", breaks="A block is believed to be in order, whatever is in it.",
    file=FOLDER + "OwnerBlock.swift", within="func check", drop="if let last",
    tests=BLOCK_TESTS,
)
mutant(
    "gone-file-back-from-its-block", rule="11.4", breaks="A file that is gone is known again, by the block that it was in.",
    file=FOLDER + "OwnerEntries.swift", within="subscript", replace=("if newValue == nil, unchanged(key) == nil", "if newValue == nil"),
    tests=BLOCK_TESTS,
)
mutant(
    "own-index-is-all", rule="11.4", breaks="What another process recorded is not seen.",
    file=FOLDER + "OwnerIndex.swift", within="func catchUp", first="if log.size > 0 { return }",
    tests="AnIndex",
)
mutant(
    "wiped-name-taken-back-late", rule="13.1", breaks="That a file lost its name is recorded after another process has wiped it.",
    file=FOLDER + "OwnerTable.swift", within="func knows", first="if count >= 0 { return true }",
    tests="AnIndex",
)
mutant(
    "void-draft-is-put-in-place", rule="13.1",
    breaks="A log that was begun before another process wiped takes the place of the wiped one.",
    file=FOLDER + "OwnerIndex+Rewriting.swift", within="func finish",
    replace=("guard let since = written.since else { return false }", "let since = written.since ?? Written.Since()"),
    tests="AnIndex",
)
mutant(
    "foreign-moves-unnoticed", rule="13.1", breaks="A wipe does not look where another process moved a file meanwhile.",
    file=FOLDER + "ForeignMoves.swift", within="func note", first="if !watches.isEmpty { return }",
    tests="AnIndex",
)
mutant(
    "record-not-on-the-disk", rule="11.6", breaks="A record counts as added before it would survive a power cut.",
    file=STORAGE + "RecordLog.swift", within="func append", drop="file.synchronize",
    tests=POWER_TESTS,
)
mutant(
    "draft-not-on-the-disk", rule="11.6", breaks="A log takes another's place before its records are on the disk.",
    file=STORAGE + "RecordLogDraft.swift", within="func finish", drop="synchronizeFile",
    tests=POWER_TESTS,
)
mutant(
    "name-not-on-the-disk", rule="11.6", breaks="A file counts as made before its name would survive a power cut.",
    file=MAKING, within="func make", drop="replacement.synchronizeName",
    tests=POWER_TESTS,
)
mutant(
    "forgotten-before-it-is-gone", rule="11.6",
    breaks="The index forgets a file that was replaced, and a power cut brings it back as nobody's.",
    file=MAKING, within="func make", replace=("try? made.unlock()", "try? made.unlock()\nif let replaced { store.nameIsGone(replaced, place.path) }"),
    tests=POWER_TESTS,
)
mutant(
    "attribute-after-the-index", rule="11.6",
    breaks="The index forgets an owner that its file's attribute may not have yet.",
    file=FOLDER + "OwnerStore.swift", within="func put", drop="file.synchronize",
    tests=POWER_TESTS,
)
mutant(
    "emptied-before-it-lasts", rule="11.6", breaks="A power cut leaves an old owner's text under a new one's name.",
    file=FOLDER + "IdentityFileSystem+Opening.swift", within="func empty", drop="file.synchronize",
    tests=POWER_TESTS,
)
mutant(
    "moved-from-nowhere", rule="11.6", breaks="A move counts as done before the old name would stay gone.",
    file=FOLDER + "IdentityFileSystem+Moving.swift", within="func rename", drop="old.folder.synchronize",
    tests=POWER_TESTS,
)
