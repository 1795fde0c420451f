# Data protection: the format, its cipher, files that are protected, and the file of keys.

KEYS = "Sources/MultiIdentityPolicy/Keys/"
PROTECTION = "Sources/MultiIdentityPolicy/Protection/"
FILES = PROTECTION + "Files/"
MEMORY_TESTS = "DamagedDataTests|PlainDataTests|UnreadableDataTests|ProtectedDataTests|StreamedDataTests"
FILE_TESTS = "AFileThatIsNotProtectedNorUnprotected|AFileThatIsProtected|AFileWhoseDisk"
KEY_TESTS = "AKeyFile|KeysThatAreDestroyed|AMasterKey"

mutant(
    "header-tag-not-compared",
    "The header's tag is not compared, so that a header can be written by who has no key.",
    MEMORY_TESTS + "|" + FILE_TESTS, PROTECTION + "DataProtection.swift",
    "guard Self.areEqual(cipher.headerTag, Array(bytes.part(length..<bytes.count))) else { throw .alteredHeader }",
    "",
)
mutant(
    "header-not-bound-to-key",
    "A message's key does not depend on its header.",
    "VectorsThatWerePublished|" + MEMORY_TESTS, PROTECTION + "MessageCipher.swift",
    "info: Derivation.info(Derivation.message, header)",
    "info: Derivation.info(Derivation.message, [])",
)
mutant(
    "last-segment-not-told",
    "The nonce does not say which segment is the last one, so that segments at the end can be left out.",
    MEMORY_TESTS, PROTECTION + "SegmentNonce.swift",
    "(isLast ? 1 : 0)",
    "0",
)
mutant(
    "segments-not-counted",
    "Two segments are encrypted under one nonce.",
    MEMORY_TESTS, PROTECTION + "SegmentNonce.swift",
    "(segment << 8 |",
    "(segment << 9 |",
)
mutant(
    "segments-counted-in-three-bytes",
    "The number of a segment loses its first byte, so that nonces come again in a long message.",
    "SegmentNonceTests", PROTECTION + "SegmentNonce.swift",
    "prefix | UInt64(segment >> 24)",
    "prefix",
)
mutant(
    "segments-without-end",
    "A message goes on after 2^32 segments, with the first one's nonce.",
    MEMORY_TESTS, PROTECTION + "MessageCipher.swift",
    "mutating func seal(\n        _ text: UnsafeRawBufferPointer,\n        isLast: Bool,\n        into output: UnsafeMutableRawBufferPointer\n    ) throws(DataProtectionError) {\n        guard segment < ProtectionFormat.maximumSegmentCount else { throw .tooLarge }\n",
    "mutating func seal(\n        _ text: UnsafeRawBufferPointer,\n        isLast: Bool,\n        into output: UnsafeMutableRawBufferPointer\n    ) throws(DataProtectionError) {\n",
)
mutant(
    "empty-segment-allowed",
    "An empty segment may stand at the end of a message that is not empty.",
    MEMORY_TESTS, PROTECTION + "MessageCipher.swift",
    "        guard sealed.count > AESGCM.tagLength || isLast && segment == 0 else { throw .altered(segment: segment) }\n",
    "",
)
mutant(
    "forged-text-left",
    "The text of a segment that was altered stays in memory, where a caller's bug could show it.",
    "VectorsThatWerePublished", PROTECTION + "Cipher/AESGCM+OpenSSL.swift",
    "&unused) == 1 { return true }\n        Cryptography.clear(output)\n",
    "&unused) == 1 { return true }\n",
)
mutant(
    "claims-of-managed-believed",
    "Plain data may claim to be a managed identity's.",
    MEMORY_TESTS, PROTECTION + "DataProtection.swift",
    "guard owner.isNobody || !accounts.isManaged(owner) else { throw .claimsManaged(owner) }",
    "",
)
mutant(
    "claims-expected",
    "Plain data that claim an owner pass where its encrypted ones are expected.",
    MEMORY_TESTS, PROTECTION + "DataProtection.swift",
    "if let expected { throw .notEncrypted(expecting: expected) }",
    "",
)
mutant(
    "foreign-data-expected",
    "Data that were never protected pass where an identity's are expected.",
    MEMORY_TESTS, PROTECTION + "DataProtection+Memory.swift",
    "if let expected { throw .notProtected(expecting: expected) }",
    "",
)
mutant(
    "anothers-data-expected",
    "Another identity's data pass where an identity's are expected.",
    MEMORY_TESTS, PROTECTION + "DataProtection+Memory.swift",
    "if let expected, expected != header.owner { throw .otherOwner(header.owner, expecting: expected) }",
    "",
)
mutant(
    "anothers-file-expected",
    "Another identity's file passes where an identity's is expected.",
    FILE_TESTS, FILES + "FileContent.swift",
    "        if let expected, expected != header.owner { throw .otherOwner(header.owner, expecting: expected) }\n",
    "",
)
mutant(
    "wrong-key-not-told",
    "A key with other bytes is not told from tampering.",
    MEMORY_TESTS, PROTECTION + "DataProtection.swift",
    "guard key.id == encryption.keyID, Self.areEqual(key.check, encryption.keyCheck) else {",
    "guard key.id == encryption.keyID else {",
)
mutant(
    "revoked-is-protected-for",
    "Data are protected for an identity that is revoked.",
    "AnIdentityThatIsRevoked", PROTECTION + "DataProtection.swift",
    "        do throws(IdentityRevokedError) { try IdentityRevocation.admit(identity) } catch {\n            throw DataProtectionError(error)\n        }\n",
    "",
)
mutant(
    "file-changed-meanwhile",
    "A file that was changed or replaced while it was read is written over.",
    FILE_TESTS, FILES + "FileOnDisk.swift",
    "            guard now == status, named == status else { throw Self.changed }\n",
    "            if named.size > (1 << 60), now == status { throw Self.changed }\n",
)
mutant(
    "file-with-second-name",
    "A file with a second name is protected, and its content stays plain under the other.",
    FILE_TESTS, FILES + "FileOnDisk.swift",
    "        guard status.linkCount == 1 else { throw .severalNames(path, status.linkCount) }\n",
    "",
)
mutant(
    "file-loses-its-recorded-owner",
    "A file that is protected loses its recorded owner.",
    FILE_TESTS, FILES + "FileOnDisk.swift",
    "if let owner = try recordedOwner() { try",
    "if let owner = try recordedOwner(), owner.isEmpty { try",
)
mutant(
    "file-loses-its-user",
    "A file that is protected belongs to the process's user.",
    FILE_TESTS, FILES + "FileOnDisk.swift",
    "if found.user != status.user || found.group != status.group {",
    "if found.user != status.user, found.group == status.group {",
)
mutant(
    "file-loses-its-encryption",
    "Protecting a file whose owner is managed no more decrypts it.",
    FILE_TESTS, FILES + "FileWork.swift",
    "header.encryption?.keyID == message.keyID || message.keyID == nil:",
    "header.encryption?.keyID == message.keyID:",
)
mutant(
    "target-is-written-over",
    "A protected file that is written elsewhere takes the place of what has that name.",
    FILE_TESTS, FILES + "FileOnDisk.swift",
    "rename(target == nil ? .replacing : .creating)",
    "rename(.replacing)",
)
mutant(
    "key-file-with-any-mode",
    "A key file that others can read is used.",
    KEY_TESTS, KEYS + "KeyFileAccess.swift",
    "guard status.permissions & 0o077 == 0 else {",
    "guard status.permissions & 0o022 == 0 else {",
)
mutant(
    "key-file-of-anybody",
    "A key file that belongs to another user is used.",
    KEY_TESTS, KEYS + "KeyFileAccess.swift",
    "guard status.user == user else {",
    "guard status.user == user || user == 0 else {",
)
mutant(
    "key-file-in-any-folder",
    "A key file in a folder where others can replace it is used.",
    KEY_TESTS, KEYS + "KeyFileAccess.swift",
    "guard status.permissions & 0o022 == 0 || status.permissions & 0o1000 != 0 else {",
    "guard status.permissions & 0o002 == 0 || status.permissions & 0o1000 != 0 else {",
)
mutant(
    "key-file-not-authenticated",
    "What is authenticated of a key file is not compared.",
    KEY_TESTS, KEYS + "KeyFileFormat.swift",
    "guard isOurs else { throw",
    "guard isOurs || bytes.count > 0 else { throw",
)
mutant(
    "key-file-rolled-back",
    "An older key file than was read is used, and keys that were destroyed are back.",
    KEY_TESTS, KEYS + "KeyFileState.swift",
    "guard contents.generation >= newest.generation else {",
    "guard contents.generation >= 0 else {",
    "guard contents.generation > newest.generation || tag == newest.tag else {",
    "guard contents.generation != newest.generation || tag == newest.tag else {",
)
mutant(
    "key-file-written-and-forgotten",
    "What was written is not remembered, so that the file before it passes for the newest.",
    KEY_TESTS, KEYS + "KeyFile+Changing.swift",
    "                state.noteWritten(contents, bytes)\n",
    "",
)
mutant(
    "key-may-be-taken-back",
    "A key is used whose name was given by somebody who failed before it would survive a power cut.",
    "AKeyWhoseNameMayNotLast", KEYS + "KeyFileState.swift",
    "guard let tag = newest?.tag, tag != lasting else { return }",
    "guard let tag = newest?.tag, tag != lasting, lasting != nil else { return }",
)
mutant(
    "key-file-not-read-again",
    "After a change that failed memory may say other than the disk.",
    KEY_TESTS, KEYS + "KeyFileState.swift",
    "file.isSame(as: status) {",
    "status.isFile, file.status.isFile {",
)
mutant(
    "key-entry-not-bound",
    "A wrapped key can be moved to another identity's entry.",
    KEY_TESTS, KEYS + "KeyFileEntry.swift",
    "id.bytes + Array(owner.name.utf8)",
    "Array(repeating: 0, count: 16)",
)
mutant(
    "destroyed-keys-not-synchronised",
    "Destroying says that it is done, though a power cut would bring the keys back.",
    KEY_TESTS, KEYS + "KeyFile+Changing.swift",
    "            try directory.synchronize()\n",
    "",
)
mutant(
    "destroyed-keys-in-leftovers",
    "Keys that are destroyed stay in what an interrupted change left.",
    KEY_TESTS, KEYS + "KeyFile.swift",
    "latest.contents.destroying(identity) : nil }\n        try sweep()\n",
    "latest.contents.destroying(identity) : nil }\n        try directory.synchronizing()\n",
    KEYS + "KeptFile.swift",
    "/// A file that was read, kept open",
    "extension OpenFile {\n    func synchronizing() throws(IdentityKeyError) {\n        do throws(SystemCallError) { try synchronize() } catch { throw IdentityKeyError(error) }\n    }\n}\n\n/// A file that was read, kept open",
)
mutant(
    "destroyed-keys-not-told",
    "That a key was destroyed is not remembered.",
    KEY_TESTS, KEYS + "KeyFileContents.swift",
    "destroyed: destroyed.union(gone)",
    "destroyed: destroyed.subtracting(gone)",
)
mutant(
    "destroyed-keys-stay-in-memory",
    "A key that is destroyed is not overwritten in memory.",
    KEY_TESTS, KEYS + "SecretBytes.swift",
    "        Cryptography.clear(memory)\n",
    "",
)
mutant(
    "keys-changed-without-lock",
    "Two processes change a key file at once, and one's key is lost.",
    KEY_TESTS, KEYS + "KeyFileLock.swift",
    "while try !file.lock() {",
    "while try !file.lock(), waited < 0 {",
)
mutant(
    "key-made-behind-a-wipe",
    "A key is made for an identity that was revoked while its maker waited.",
    "AnIdentityThatIsRevoked", KEYS + "KeyFile.swift",
    "            try Self.admit(identity)\n            // Another thread",
    "            // Another thread",
)
mutant(
    "master-key-of-any-length",
    "Text that stands for too many bytes is a master key.",
    KEY_TESTS, KEYS + "MasterKeyText.swift",
    "guard count == MasterKey.length else {",
    "guard count >= MasterKey.length else {",
)
mutant(
    "former-master-key-kept",
    "The former master key opens a key file after its rotation.",
    KEY_TESTS, KEYS + "KeyFile+Changing.swift",
    "with: master ?? latest.master)",
    "with: latest.master)",
)
mutant(
    "whole-data-in-small-segments",
    "Data that are given as a whole take the time of many segments.",
    MEMORY_TESTS, PROTECTION + "DataProtection.swift",
    "wholeSegmentSize: .mebibyte)",
    "wholeSegmentSize: .kibibytes64)",
)
