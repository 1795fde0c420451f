# Files with owners: who owns what is made, what keeps its owner, where paths lead, wipes and repairs.

FOLDER = "Sources/MultiIdentityPolicy/Files/"
MAKING = FOLDER + "IdentityFileSystem+Making.swift"
OPENING = FOLDER + "IdentityFileSystem+Opening.swift"
REPLACING = FOLDER + "IdentityFileSystem+Replacing.swift"
COPYING = FOLDER + "IdentityFileSystem+Copying.swift"
MOVING = FOLDER + "IdentityFileSystem+Moving.swift"
NAMING = FOLDER + "IdentityFileSystem+Naming.swift"
SYSTEM = FOLDER + "IdentityFileSystem.swift"
STORE = FOLDER + "OwnerStore.swift"
REWRITING = FOLDER + "OwnerIndex+Rewriting.swift"
TABLE = FOLDER + "OwnerTable.swift"
KEY = FOLDER + "FileKey.swift"
PATH = FOLDER + "RootedPath.swift"
OWNER = FOLDER + "FileOwner.swift"
BYTES = FOLDER + "FileOwner+Bytes.swift"
HUNT = FOLDER + "FileHunt.swift"
REMOVING = FOLDER + "FileHunt+Removing.swift"
MENDING = FOLDER + "Mending.swift"
SETTLING = FOLDER + "Mending+Index.swift"
TESTS = "AFile|FilesThat|FilesOf|ARepair|APath|AChange"

mutant(
    "owner-of-the-ui",
    "A new file belongs to whom the UI level names.",
    TESTS, MAKING,
    "EffectiveIdentity.current(for: .files)", "EffectiveIdentity.current(for: .ui)",
)
mutant(
    "unset-owner-not-recorded",
    "A file that is made under no identity is as one that was never seen.",
    TESTS, MAKING,
    "if let owner { try store.put(owner, on: replacement.file, place.path) }",
    "if let owner, owner != .unset { try store.put(owner, on: replacement.file, place.path) }",
)
mutant(
    "nobody-is-unset",
    "Nobody's files are recorded as made under no identity.",
    TESTS, OWNER,
    "identity.isNobody ? .nobody : .identity(identity)", "identity.isNobody ? .unset : .identity(identity)",
)
mutant(
    "closed-to-none-but-nobody",
    "Where work without an owner is refused, nobody's is not.",
    TESTS, MAKING,
    "if withoutOwner == .closed, owner.identity == nil {", "if withoutOwner == .closed, owner == .unset {",
)
mutant(
    "truncated-file-keeps-its-owner",
    "A file that is emptied stays its old owner's.",
    TESTS, OPENING,
    "        try setOwner(owner, of: opened.file, path)\n", "        _ = owner\n",
)
mutant(
    "owner-before-the-content-is-gone",
    "A file is its opener's while the old owner's content is still in it.",
    TESTS, OPENING,
    "            try opened.file.truncate(to: 0)\n            try opened.file.synchronize()\n        }\n"
    "        try setOwner(owner, of: opened.file, path)\n",
    "        }\n        try setOwner(owner, of: opened.file, path)\n"
    "        try IdentityFileError.from(path.text) { () throws(SystemCallError) in try opened.file.truncate(to: 0) }\n",
)
mutant(
    "copy-is-the-copiers",
    "A copy belongs to whoever copies.",
    TESTS, COPYING,
    "            owner = known\n", "            owner = try there.creator(target)\n",
)
mutant(
    "replacement-keeps-the-owner",
    "Whoever replaces a file does not own it.",
    TESTS, REPLACING,
    "if ownership == .opener {", "if ownership == .opener, old.size == 0 {",
)
mutant(
    "revoked-while-writing",
    "Nobody asks again for admission when a file gets its name.",
    TESTS, MAKING,
    "            try admit(owner, path.text)\n            if let owner { try store",
    "            if let owner { try store",
)
mutant(
    "links-for-the-revoked",
    "A revoked identity's file can be given another name.",
    TESTS, NAMING,
    "                try admit(owner, new)\n", "",
)
mutant(
    "goes-up",
    "A path may have .. in it.",
    TESTS, PATH,
    "if parts.contains(where: { $0.elementsEqual(\"..\".utf8) }) {",
    "if parts.first.map({ $0.elementsEqual(\"..\".utf8) }) == true {",
)
mutant(
    "index-below-the-root",
    "The index may be in a folder below the root.",
    TESTS, SYSTEM,
    "if resolved == directory.path || resolved.hasPrefix(prefix) {",
    "if resolved == directory.path || prefix.isEmpty {",
)
mutant(
    "inode-is-enough",
    "A file that was made behind our back has the owner of the one whose inode it got.",
    TESTS, KEY,
    "hasBirthTimes ? status.birthTime : nil", "hasBirthTimes ? 0 : nil",
)
mutant(
    "wiped-name-stays-in-the-log",
    "After a wipe the index's log has the name still, in records that are no longer so.",
    TESTS, REWRITING,
    "for (key, entry) in known.entries where entry.owner != owner || !keys.contains(key) {",
    "for (key, entry) in known.entries {",
)
mutant(
    "recorded-meanwhile-is-lost",
    "What is recorded while the log is written anew is not in the new one.",
    "AnIndexThatIsWrittenAnew", REWRITING,
    "            for record in since.records { try draft.append { record.append(to: &$0) } }\n", "",
)
mutant(
    "given-again-is-forgotten",
    "A file that has the inode of one that is gone is forgotten with that.",
    "AnIndexThatIsWrittenAnew", REWRITING,
    "                for record in since.records where record.key.map(gone.contains) == true { table.apply(record) }\n", "",
)
mutant(
    "leftover-of-the-index-stays",
    "After a wipe what an interrupted compaction left has the name still.",
    TESTS, REMOVING,
    "            try index.sweep()\n", "",
)
mutant(
    "no-walk-where-names-are-gone",
    "A wipe does not look for files that the index knows by other names.",
    TESTS, HUNT,
    "system.store.keeping.hasAttributes || !recorded.keys.allSatisfy(met.contains)\n"
    "            || linked.values.contains(where: \\.isIncomplete)",
    "system.store.keeping.hasAttributes",
)
mutant(
    "moved-while-walking",
    "A wipe does not go where things were moved meanwhile.",
    TESTS, REMOVING,
    "            if moves.isEmpty { return }\n            for path in Set(moves) { look(at: path) }",
    "            if moves.isEmpty || !moves.isEmpty { return }\n            for path in Set(moves) { look(at: path) }",
)
mutant(
    "outside-name-keeps-the-content",
    "A file with a name outside of the root keeps its content there.",
    TESTS, REMOVING,
    "        try file.truncate(to: 0)\n        try file.synchronize()\n", "        try file.synchronize()\n",
)
mutant(
    "usurper-is-forgotten",
    "Where another file is in a wiped one's place, nothing is said.",
    TESTS, REMOVING,
    "if let path = entry.names.first(where: isUsurped) {", "if let path = entry.names.first(where: isUsurped), path.text.isEmpty {",
)
mutant(
    "unsynchronised-removal",
    "A directory whose files were removed is not made lasting.",
    TESTS, HUNT,
    "        do throws(SystemCallError) { try folder.synchronize() } catch {\n"
    "            return failed(path.text, IdentityFileError(error, path.text))\n        }\n", "",
)
mutant(
    "forgotten-while-it-is-made",
    "A repair forgets the owner of a file that has no name yet.",
    TESTS, STORE,
    "if index.entry(key) == nil { try record(", "if index.entry(key) != nil { try record(",
)
mutant(
    "refused-record-stays",
    "A refused operation's record stays in the index.",
    TESTS, STORE,
    "        index.recordIfPossible(.forget(key))\n        // Who is", "        // Who is",
)
mutant(
    "adopts-unasked",
    "A repair gives a file that took another's place that one's owner.",
    TESTS, SETTLING,
    "if replaced == .adopted {", "if replaced == .reported || replaced == .adopted {",
)
mutant(
    "damaged-owner-is-none",
    "Damage of an attribute goes unnoticed.",
    TESTS, BYTES,
    "guard Self.sum(head[1], name) == UInt32(littleEndian: head[2...]) else {",
    "guard head.count == 6 else {",
)
mutant(
    "directory-keeps-its-old-names",
    "The index does not know what a renamed directory's files are called.",
    TESTS, TABLE,
    "                    if let other = name.moved(from: old, to: new), !entry.names.contains(other) {",
    "                    if let other = name.moved(from: old, to: new), other == new, !entry.names.contains(other) {",
)
mutant(
    "named-before-it-lasts",
    "A file of somebody's gets its name before its bytes are on the disk.",
    "AChange", MAKING,
    "            try replacement.synchronize()\n", "",
)
mutant(
    "a-naming-of-its-own",
    "Two file systems of one root know nothing of each other, so that a wipe misses what the other one moves.",
    "FilesOf", FOLDER + "Naming.swift",
    "if let root = roots[key], let naming = root.naming { return naming }", "",
)
mutant(
    "no-turn-for-others",
    "A wipe leaves nobody a turn while it removes what is in one directory.",
    "FilesOf", HUNT,
    "            visit.passed()\n        }\n        if removed.isEmpty", "        }\n        if removed.isEmpty",
)
mutant(
    "no-attributes-is-an-error",
    "What is mounted below a root without attributes lets no wipe be complete.",
    "MountedFile", STORE,
    "            if error.isNoAttributes { return nil }\n", "",
)
mutant(
    "root-of-all-has-no-index-below",
    "Where the root is the root of all, an index is let in below it.",
    "APath", SYSTEM,
    'directory.path.hasSuffix("/") ? directory.path : "\\(directory.path)/"', '"\\(directory.path)/"',
)
mutant(
    "renamed-without-birth-is-forgotten",
    "Where nobody knows when files were made, one that was renamed behind our back is forgotten, and the wipe complete.",
    "FilesOf", HUNT,
    "                return unseen(name, in: folder, path)\n", "                return\n",
)
mutant(
    "leftover-without-birth-stays",
    "Where nobody knows when files were made, what a crash left of a replacement stays.",
    "FilesOf", TABLE,
    "return AtomicReplacement.isTemporary(path.parts.name) ? entry.owner : nil", "return nil",
)
