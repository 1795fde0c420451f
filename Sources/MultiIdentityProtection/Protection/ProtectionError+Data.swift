import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy

extension ProtectionError {
    static func malformedHeader(_ reason: String) -> ProtectionError {
        ProtectionError(
            .tampered,
            "The data begin like protected data, but \(reason); they were altered, or never protected."
        )
    }

    static func futureVersion(_ version: UInt8) -> ProtectionError {
        ProtectionError(
            .futureVersion,
            "The data were protected in version \(version) of the format, and this package supports version "
                + "\(ProtectionFormat.version). Update the package, or find out who altered them."
        )
    }

    static let alteredHeader = ProtectionError(
        .tampered,
        "The header of the data is not authentic: it was altered or corrupted. Restore the data from a copy."
    )

    static func altered(segment: UInt64) -> ProtectionError {
        ProtectionError(
            .tampered,
            "Segment \(segment) of the data is not authentic: it was altered, moved, removed, added or "
                + "corrupted. Nothing of it was returned."
        )
    }

    static let cutOff = ProtectionError(
        .truncated,
        "The data do not end like protected data: they were cut off, or something was appended. Read all of them again."
    )

    static func claimsManaged(_ owner: Identity) -> ProtectionError {
        ProtectionError(
            .claimsManagedIdentity,
            "Plain data claim to belong to \(owner), which is managed or has keys. Its data are always encrypted: these "
                + "are forged, or from before it was managed. Protect them again from a trusted source."
        )
    }

    static func notProtected(expecting owner: Identity) -> ProtectionError {
        ProtectionError(
            .notEncrypted,
            "Data that were encrypted for \(owner) were expected, but these were never protected."
        )
    }

    static func notEncrypted(expecting owner: Identity) -> ProtectionError {
        ProtectionError(
            .notEncrypted,
            "Data that were encrypted for \(owner) were expected, but these are plain and only claim an owner."
        )
    }

    static func otherOwner(_ owner: Identity, expecting expected: Identity) -> ProtectionError {
        ProtectionError(
            .otherOwner,
            "Data that were encrypted for \(expected) were expected, but these name \(owner) as their owner."
        )
    }

    static func protectedForOther(_ owner: Identity, _ identity: Identity) -> ProtectionError {
        ProtectionError(
            .otherOwner,
            "The file is protected for \(owner) and cannot be protected for \(identity). Unprotect it first."
        )
    }

    static let tooLarge = ProtectionError(
        .tooLarge,
        "The data need more than 2^32 segments. Protect them in parts."
    )

    static let finished = ProtectionError(
        .finished,
        "The stream failed before, and accepts no more data. Create a new one."
    )

    static func unsuitable(_ path: String, _ reason: String) -> ProtectionError {
        ProtectionError(.unsuitableFile, "\(path) \(reason). The file is unchanged.")
    }

    static func severalNames(_ path: String, _ count: UInt64) -> ProtectionError {
        .unsuitable(path, "has \(count) names, and the others would keep the old content; remove them first")
    }

    static func changed(_ path: String) -> ProtectionError {
        .unsuitable(path, "was changed or replaced while it was read; try again once nothing writes to it")
    }

    init(_ decision: PolicyDecision) {
        self.init(.refused, "\(decision)")
        self.decision = decision
    }

    init(neverSeen path: String) {
        self.init(
            .unknownOwner,
            "\(path) was made by another program and has no known owner. Set its owner before you share it."
        )
    }

    init(_ path: String, of recorded: FileOwner, claims owner: Identity) {
        self.init(
            .otherOwner,
            "\(path) is recorded as owned by \(recorded), but claims the owner \(owner). Find out who wrote it, and "
                + "set the right owner."
        )
    }
}
