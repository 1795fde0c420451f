# Sharing: whose it stays, and who is asked when.

FOLDER = "Sources/MultiIdentityProtection/Sharing/"
DATA = FOLDER + "DataSharing.swift"
FILES = FOLDER + "DataSharing+Files.swift"
SHARED = "DataThatAreShared|AFileThatIsShared"

mutant(
    "shared-as-of-the-courier", rule="20.1", breaks="A file that is handed over becomes another's: the copier's.",
    file=FILES, within="private func copy", replace=("decided = (owner, plan, status)\n                return owner", "decided = (owner, plan, status)\n                return FileOwner(Identity.current)"),
    tests=SHARED,
)
mutant(
    "unknown-owner-given-away", rule="20.1", breaks="What another program made is given away as the giver's.",
    file=FILES, within="public func share", replace=("guard let known else { throw DataSharingError(neverSeen: path) }", "let known = known ?? FileOwner(Identity.current)"),
    tests=SHARED,
)
mutant(
    "claim-believed-over-the-record", rule="20.1", breaks="A plain header makes one's file another's.",
    file=FILES, within="private func owner", replace=("guard recorded.identity ?? .nobody == header.owner else", "guard recorded.identity ?? .nobody == header.owner || true else"),
    tests=SHARED,
)
mutant(
    "record-over-the-proof", rule="20.1", breaks="An encrypted file comes in as that of who brought it.",
    file=FILES, within="private func owner", replace=("if header.encryption != nil { return FileOwner(header.owner) }", "if header.encryption != nil { return recorded ?? FileOwner(header.owner) }"),
    tests=SHARED,
)
mutant(
    "received-still-encrypted", rule="20.2", breaks="A file that comes in stays closed.",
    file=FILES, within="public func receive", replace=("let content = try FileContent(of: file, from: start, size: size, with: protection, expecting: nil)", "_ = start\n            let content = try FileContent(asItIs: file, size: size)"),
    tests=SHARED,
)
mutant(
    "shared-in-clear", rule="20.2", breaks="A managed owner's data go out in clear.",
    file=DATA, within="public func share", replace=("item = try protection.protect(bytes, for: owner)", "item = try protection.protect(bytes, for: .nobody)"),
    tests=SHARED,
)
mutant(
    "giver-not-asked", rule="20.3", breaks="Data are given away that may not be.",
    file=DATA, within="public func share", drop="try admit(owner, receiver)",
    tests=SHARED,
)
mutant(
    "receiver-not-asked", rule="20.3", breaks="Data come into a space that takes none in.",
    file=DATA, within="public func receive", drop="try admit(owner, receiver)",
    tests=SHARED,
)
mutant(
    "receiver-of-files-not-asked", rule="20.3", breaks="A file comes into a space that takes none in.",
    file=FILES, within="public func receive", drop="try admit(owner.identity, receiver)",
    tests=SHARED,
)
mutant(
    "asked-once-it-is-written", rule="20.3", breaks="The policies are asked when the file is there already.",
    file=FILES, within="public func share", replace=("            try admit(known.identity, receiver)\n            return (known, known.identity ?? .nobody)\n        } work: { file, size, identity throws(DataProtectionError) in\n            try protection", "            return (known, known.identity ?? .nobody)\n        } work: { file, size, identity throws(DataProtectionError) in\n            guard (try? admit(identity, receiver)) != nil else { throw .finished }\n            return try protection"),
    tests=SHARED,
)
mutant(
    "changed-while-it-went", rule="20.4", breaks="A file that was written to meanwhile goes out as a mixture.",
    file=FILES, within="private func copy", replace=("guard try Self.status(of: old) == status else", "guard try Self.status(of: old) == status || true else"),
    tests=SHARED,
)
mutant(
    "exchanged-once-decided", rule="20.2", breaks="A file that is written to between the decision and the reading is taken for what was decided on.",
    file=FILES, within="private func copy", replace=("guard let (_, plan, status) = decided else { return }", "guard let (_, plan, _) = decided else { return }\n            let status = try Self.status(of: old)"),
    tests=SHARED,
)
