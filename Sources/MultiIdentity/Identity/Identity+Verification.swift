/// A spelling that came as a claim and was verified.
///
/// A subclass, so that identities which a program makes itself stay as small as they are.
final class VerifiedSpelling: IdentitySpelling, @unchecked Sendable {
    let verification: IdentityVerification

    init(name: String, record: IdentityRecord, verification: IdentityVerification) {
        self.verification = verification
        super.init(name: name, record: record)
    }
}

extension Identity {
    /// The way this was verified, where it came from another process as a claim; else `nil`, and for ``nobody`` too.
    ///
    /// It goes with the identity wherever that goes in this process, as its spelling does, and like that it takes no
    /// part in comparing. It is not encoded.
    public var verification: IdentityVerification? { (spelling as? VerifiedSpelling)?.verification }

    package init(_ name: String, verifiedBy verification: IdentityVerification) throws(IdentityError) {
        try IdentityName.validate(name)
        let record = IdentityRegistry.shared.record(for: NameKey(name))
        spelling = VerifiedSpelling(name: name, record: record, verification: verification)
    }
}
