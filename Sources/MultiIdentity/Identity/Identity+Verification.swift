/// A spelling with additional facts: how it was verified if it came as a claim, and who acts for it.
///
/// A subclass, so that identities which a program makes itself stay small.
final class DescribedSpelling: IdentitySpelling, @unchecked Sendable {
    private let ownVerification: IdentityVerification?
    private let ownActor: IdentityActor?

    override var verification: IdentityVerification? { ownVerification }
    override var actor: IdentityActor? { ownActor }

    init(name: String, record: IdentityRecord, verification: IdentityVerification?, actor: IdentityActor?) {
        ownVerification = verification
        ownActor = actor
        super.init(name: name, record: record)
    }
}

extension Identity {
    /// The verification of this identity, if it came from another process as a claim; otherwise `nil`, also for ``nobody``.
    ///
    /// It stays with the identity everywhere in this process, as its spelling does, and does not affect comparison. It is not encoded.
    public var verification: IdentityVerification? { spelling.verification }

    package init(
        _ name: String,
        verifiedBy verification: IdentityVerification,
        actor: IdentityActor?
    ) throws(IdentityError) {
        try IdentityName.validate(name)
        let plain = IdentitySpelling(name)
        spelling = DescribedSpelling(name: name, record: plain.record, verification: verification, actor: actor)
    }

    /// Creates the identity of a stored caseless form (``caselessName``), which can be longer than a name.
    package init(caselessName form: String) { spelling = IdentitySpelling(form) }

    /// Returns the account that this name is an alias of, with the same verification, and with other actors.
    func named(as account: Identity, actor: IdentityActor?) -> Identity {
        if verification == nil, actor == nil { return account }
        let (name, record) = (account.name, account.spelling.record)
        return Identity(
            spelling: DescribedSpelling(name: name, record: record, verification: verification, actor: actor)
        )
    }
}
