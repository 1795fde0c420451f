# Data protection: the format, its cipher, files that are protected, and the file of keys.

KEYS = "Sources/MultiIdentityProtection/Keys/"
PROTECTION = "Sources/MultiIdentityProtection/Protection/"
DATA = PROTECTION + "DataProtection.swift"
NONCE = PROTECTION + "SegmentNonce.swift"
FILE = PROTECTION + "Files/FileOnDisk.swift"
MEMORY_TESTS = "DamagedDataTests|PlainDataTests|UnreadableDataTests|ProtectedDataTests|StreamedDataTests"
FILE_TESTS = "AFileThatIsNotProtectedNorUnprotected|AFileThatIsProtected|AFileWhoseDisk"
KEY_TESTS = "AKeyFile|KeysThatAreDestroyed|AMasterKey"

mutant(
    "segments-counted-in-three-bytes", rule="12.1",
    breaks="The number of a segment loses its first byte, so that nonces come again in a long message.",
    file=NONCE, within="init(prefix", replace=("| UInt64(…)", ""),
    tests="SegmentNonceTests",
)
mutant(
    "forged-text-left", rule="12.1",
    breaks="The text of a segment that was altered stays in memory, where a caller's bug could show it.",
    file="Sources/MultiIdentityProtection/Cipher/AESGCM+OpenSSL.swift", within="struct AESGCM", drop="Cryptography.clear(output) return",
    tests="VectorsThatWerePublished",
)
mutant(
    "claims-of-managed-believed", rule="12.2", breaks="Plain data may claim to be a managed identity's.",
    file=DATA, within="func admitClaim", drop="isEncrypted(owner)",
    tests=MEMORY_TESTS,
)
mutant(
    "anothers-data-expected", rule="12.3", breaks="Another identity's data pass where an identity's are expected.",
    file=PROTECTION + "DataProtection+Memory.swift", within="extension DataProtection", drop="expected != header.owner",
    tests=MEMORY_TESTS,
)
mutant(
    "anothers-file-expected", rule="12.3", breaks="Another identity's file passes where an identity's is expected.",
    file=PROTECTION + "Files/FileContent.swift", within="struct FileContent", drop="expected != header.owner",
    tests=FILE_TESTS,
)
mutant(
    "header-tag-not-compared", rule="12.4",
    breaks="The header's tag is not compared, so that a header can be written by who has no key.",
    file=DATA, within="func open", drop="cipher.headerTag",
    tests=MEMORY_TESTS + "|" + FILE_TESTS,
)
mutant(
    "last-segment-not-told", rule="12.4",
    breaks="The nonce does not say which segment is the last one, so that segments at the end can be left out.",
    file=NONCE, within="init(prefix", replace=("(isLast ? 1 : 0)", "0"),
    tests=MEMORY_TESTS,
)
mutant(
    "wrong-key-not-told", rule="12.4", breaks="A key with other bytes is not told from tampering.",
    file=DATA, within="func open", replace=(", Self.areEqual(…)", ""),
    tests=MEMORY_TESTS,
)
mutant(
    "header-not-bound-to-key", rule="12.5", breaks="A message's key does not depend on its header.",
    file=PROTECTION + "MessageCipher.swift", within="struct MessageCipher",
    replace=("Derivation.message, header", "Derivation.message, []"),
    tests="VectorsThatWerePublished|" + MEMORY_TESTS,
)
mutant(
    "file-changed-meanwhile", rule="12.6",
    breaks="A file that was changed or replaced while it was read is written over.",
    file=FILE, within="func commit",
    instead=("now == status", "if named.size > (1 << 60), now == status { throw Self.changed }"),
    tests=FILE_TESTS,
)
mutant(
    "file-with-second-name", rule="12.6",
    breaks="A file with a second name is protected, and its content stays plain under the other.",
    file=FILE, within="func checkIsAlone", drop="linkCount == 1",
    tests=FILE_TESTS,
)
mutant(
    "enrolment-numbered-by-last-key", rule="12.7",
    breaks="The number of an enrolment is another one after a rotation, so that what was stored before is no longer known.",
    file=KEYS + "KeyFileContents.swift", within="func first", replace=("?.first", "?.last"),
    tests=KEY_TESTS,
)
mutant(
    "key-file-with-any-mode", rule="12.7", breaks="A key file that others can read is used.",
    file=KEYS + "KeyFileAccess.swift", within="func check", replace=("0o077", "0o022"),
    tests=KEY_TESTS,
)
mutant(
    "key-entry-not-bound", rule="12.7", breaks="A wrapped key can be moved to another identity's entry.",
    file=KEYS + "KeyFileEntry.swift", within="struct KeyFileEntry",
    replace=("id.bytes + Array(…)", "Array(repeating: 0, count: 16)"),
    tests=KEY_TESTS,
)
mutant(
    "destroyed-keys-not-synchronised", rule="12.7",
    breaks="Destroying says that it is done, though a power cut would bring the keys back.",
    file=KEYS + "KeyFile+Changing.swift", within="func sweep", drop="directory.synchronize",
    tests=KEY_TESTS,
)
mutant(
    "destroyed-keys-stay-in-memory", rule="12.7", breaks="A key that is destroyed is not overwritten in memory.",
    file=KEYS + "SecretBytes.swift", within="deinit", drop="Cryptography.clear",
    tests=KEY_TESTS,
)
mutant(
    "keys-changed-without-lock", rule="12.7", breaks="Two processes change a key file at once, and one's key is lost.",
    file=KEYS + "KeyFileLock.swift", within="func isTaken", body="true",
    tests=KEY_TESTS,
)
mutant(
    "key-file-itself-not-locked", rule="12.7",
    breaks="Whoever removes the lock's file lets two processes change a key file at once.",
    file=KEYS + "KeyFileLock.swift", within="struct KeyFileLock > init",
    replace=("keyFile = try Self.locked(…)", "keyFile = try KeyFileAccess.open(name, in: directory, .reading)"),
    tests=KEY_TESTS,
)
mutant(
    "key-file-begun-twice", rule="12.7", breaks="A key file that another process began is not read before it is written.",
    file=KEYS + "KeyFile+Changing.swift", within="func isChanged", drop="error.isAlreadyThere",
    tests=KEY_TESTS,
)
mutant(
    "lock-of-another-user", rule="12.7", breaks="A key file is changed under a lock that somebody else can hold or remove.",
    file=KEYS + "KeyFileLock.swift", within="func locked", drop="KeyFileAccess.check",
    tests=KEY_TESTS,
)
mutant(
    "key-of-another-may-be-lost", rule="12.7", breaks="A key is given out that a power cut can take away again.",
    file=KEYS + "KeyFileState.swift", within="func latest", drop="makeLasting",
    tests="AKeyWhoseNameMayNotLast",
)
mutant(
    "destroyed-in-name-only", rule="12.7", breaks="Leftovers with keys come back after a power cut.",
    file=KEYS + "KeyFile+Changing.swift", within="func sweep", drop="directory.synchronize",
    tests="AKeyWhoseNameMayNotLast",
)
mutant(
    "protected-before-it-lasts", rule="12.6", breaks="A file is replaced by one whose bytes are not on the disk yet.",
    file=FILE, within="func commit", drop="replacement.synchronize()",
    tests=FILE_TESTS,
)
