/// A spelling with more to tell: how it was verified where it came as a claim, and who acts for it.
///
/// A subclass, so that identities which a program makes itself stay as small as they are.
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
    /// The way this was verified, where it came from another process as a claim; else `nil`, and for ``nobody`` too.
    ///
    /// It goes with the identity wherever that goes in this process, as its spelling does, and like that it takes no
    /// part in comparing. It is not encoded.
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

    /// The identity of a caseless form that was stored (``caselessName``), and that can be longer than a name may be.
    package init(caselessName form: String) { spelling = IdentitySpelling(form) }

    /// The account that this name is another one of, as verified as this is, and with others who act for it.
    func named(as account: Identity, actor: IdentityActor?) -> Identity {
        if verification == nil, actor == nil { return account }
        let (name, record) = (account.name, account.spelling.record)
        return Identity(
            spelling: DescribedSpelling(name: name, record: record, verification: verification, actor: actor)
        )
    }
}
