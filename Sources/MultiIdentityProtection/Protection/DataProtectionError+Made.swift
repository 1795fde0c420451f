import MultiIdentity
import MultiIdentityFiles

extension DataProtectionError {
    init(_ error: CryptographyError) { self.init(.cryptographyFailed, "The data cannot be handled, since \(error).") }

    init(_ owner: RevokedOwner) {
        self.init(
            .revoked,
            "\(owner.identity) \(owner.why), and nothing is protected for it; \(owner.remedy)."
        )
    }

    init(_ error: IdentityKeyError) {
        let code: Code =
            switch error.code {
            case .unknownKey: .unknownKey
            case .destroyedKey: .destroyedKey
            case .revoked: .revoked
            default: .keyUnavailable
            }
        self.init(code, error.message, keyError: error)
    }

    static func malformedHeader(_ reason: String) -> DataProtectionError {
        DataProtectionError(
            .malformedHeader,
            "The data begin as protected data do, but \(reason); they were altered, or never protected."
        )
    }

    static func futureVersion(_ version: UInt8) -> DataProtectionError {
        DataProtectionError(
            .futureVersion,
            "The data were protected in version \(version) of the format, and this package knows "
                + "\(ProtectionFormat.version); use a later package, or find out who altered them."
        )
    }

    static let alteredHeader = DataProtectionError(
        .tampered,
        "The header of the data is not what was written; it was altered, or a fault did it."
    )

    static func altered(segment: UInt64) -> DataProtectionError {
        DataProtectionError(
            .tampered,
            "Segment \(segment) of the data is not what was encrypted there: it was altered, moved, removed or added, or "
                + "a fault did it. Nothing of it was given out."
        )
    }

    static let cutOff = DataProtectionError(
        .truncated,
        "The data do not end as protected data do: they were cut off, or something was added behind them."
    )

    static func wrongKey(_ id: IdentityKeyID, of owner: Identity) -> DataProtectionError {
        DataProtectionError(
            .wrongKey,
            "The key \(id) of \(owner) is not the one that the data were protected with; look at where the keys come from "
                + "(or the header was altered)."
        )
    }

    static func claimsManaged(_ owner: Identity) -> DataProtectionError {
        DataProtectionError(
            .claimsManagedIdentity,
            "Plain data claim to be of \(owner), which is managed or has keys. Its data are always encrypted: these "
                + "are forged, or from before it was managed. Protect them again from a trusted source."
        )
    }

    static func notProtected(expecting owner: Identity) -> DataProtectionError {
        DataProtectionError(
            .notProtected,
            "Data that were encrypted for \(owner) were expected, and these were never protected."
        )
    }

    static func notEncrypted(expecting owner: Identity) -> DataProtectionError {
        DataProtectionError(
            .notEncrypted,
            "Data that were encrypted for \(owner) were expected, and these are plain and only claim an owner."
        )
    }

    static func otherOwner(_ owner: Identity, expecting expected: Identity) -> DataProtectionError {
        DataProtectionError(
            .otherOwner,
            "Data that were encrypted for \(expected) were expected, and these say they are of \(owner)."
        )
    }

    static func protectedForOther(_ owner: Identity, _ identity: Identity) -> DataProtectionError {
        DataProtectionError(
            .otherOwner,
            "The file says that it is protected for \(owner), and was to be protected for \(identity); unprotect it first."
        )
    }

    init(_ error: SystemCallError) {
        let isFull = error.isNoSpace ? " The file is as it was; make room and try again." : ""
        self.init(.systemCall, "\(error).\(isFull)")
    }

    static func unsuitable(_ path: String, _ reason: String) -> DataProtectionError {
        DataProtectionError(.unsuitableFile, "\(path) \(reason). The file is as it was.")
    }

    static func severalNames(_ path: String, _ count: UInt64) -> DataProtectionError {
        .unsuitable(path, "has \(count) names, and the others would keep the content as it is; remove them first")
    }

    init(_ error: IdentityFileError) {
        let code: Code =
            switch error.code {
            case .revoked: .revoked
            case .notAFile, .changedMeanwhile: .unsuitableFile
            default: .systemCall
            }
        self.init(code, error.message)
    }

    static func changed(_ path: String) -> DataProtectionError {
        .unsuitable(path, "was changed or replaced while it was read; try again once nothing writes to it")
    }

    static let tooLarge = DataProtectionError(
        .tooLarge,
        "A message has at most 2^32 segments, and there is more; protect it in parts."
    )

    static let finished = DataProtectionError(
        .finished,
        "The stream failed before, and takes no more; begin a new one."
    )
}
