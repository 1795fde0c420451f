import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy

extension ProtectionError {
    static func malformedHeader(_ reason: String) -> ProtectionError {
        ProtectionError(
            .tampered,
            "The data begin as protected data do, but \(reason); they were altered, or never protected."
        )
    }

    static func futureVersion(_ version: UInt8) -> ProtectionError {
        ProtectionError(
            .futureVersion,
            "The data were protected in version \(version) of the format, and this package knows "
                + "\(ProtectionFormat.version); use a later package, or find out who altered them."
        )
    }

    static let alteredHeader = ProtectionError(
        .tampered,
        "The header of the data is not what was written; it was altered, or a fault did it."
    )

    static func altered(segment: UInt64) -> ProtectionError {
        ProtectionError(
            .tampered,
            "Segment \(segment) of the data is not what was encrypted there: it was altered, moved, removed or added, or "
                + "a fault did it. Nothing of it was given out."
        )
    }

    static let cutOff = ProtectionError(
        .truncated,
        "The data do not end as protected data do: they were cut off, or something was added behind them."
    )

    static func claimsManaged(_ owner: Identity) -> ProtectionError {
        ProtectionError(
            .claimsManagedIdentity,
            "Plain data claim to be of \(owner), which is managed or has keys. Its data are always encrypted: these "
                + "are forged, or from before it was managed. Protect them again from a trusted source."
        )
    }

    static func notProtected(expecting owner: Identity) -> ProtectionError {
        ProtectionError(
            .notEncrypted,
            "Data that were encrypted for \(owner) were expected, and these were never protected."
        )
    }

    static func notEncrypted(expecting owner: Identity) -> ProtectionError {
        ProtectionError(
            .notEncrypted,
            "Data that were encrypted for \(owner) were expected, and these are plain and only claim an owner."
        )
    }

    static func otherOwner(_ owner: Identity, expecting expected: Identity) -> ProtectionError {
        ProtectionError(
            .otherOwner,
            "Data that were encrypted for \(expected) were expected, and these say they are of \(owner)."
        )
    }

    static func protectedForOther(_ owner: Identity, _ identity: Identity) -> ProtectionError {
        ProtectionError(
            .otherOwner,
            "The file says that it is protected for \(owner), and was to be protected for \(identity); unprotect it first."
        )
    }

    static let tooLarge = ProtectionError(
        .tooLarge,
        "A message has at most 2^32 segments, and there is more; protect it in parts."
    )

    static let finished = ProtectionError(.finished, "The stream failed before, and takes no more; begin a new one.")

    static func unsuitable(_ path: String, _ reason: String) -> ProtectionError {
        ProtectionError(.unsuitableFile, "\(path) \(reason). The file is as it was.")
    }

    static func severalNames(_ path: String, _ count: UInt64) -> ProtectionError {
        .unsuitable(path, "has \(count) names, and the others would keep the content as it is; remove them first")
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
            "\(path) was made by another program, and has no known owner; set its owner before it is shared."
        )
    }

    init(_ path: String, of recorded: FileOwner, claims owner: Identity) {
        self.init(
            .otherOwner,
            "\(path) is recorded as owned by \(recorded), and claims to be of \(owner); find out who wrote it there, and "
                + "set the owner that is right."
        )
    }
}
