/// The identities that act for another one: the one that acts now, and behind it those for whom it acts in turn (RFC 8693, `act`).
///
/// ```swift
/// let work = try ada.acted(by: support)     // support acts in Ada's name
/// withIdentity(work) {
///     Identity.current == ada               // true: what may be done is what Ada may do
///     Identity.current?.actor               // support@contoso.com
/// }
/// ```
///
/// It goes with the identity across every boundary, and costs a hop nothing.
public struct IdentityActor: Hashable, Sendable {
    /// The most identities that are kept; more are refused.
    public static let maximumCount = 8

    /// The identities, at least one: the one that acts now comes first.
    public let identities: [Identity]

    /// The identity that acts now.
    public var identity: Identity { identities[0] }

    /// - Parameter identities: None of them nobody; `nil` comes of none.
    /// - Throws: ``IdentityError`` where one is nobody, or they are too many.
    package init?(_ identities: [Identity]) throws(IdentityError) {
        if identities.isEmpty { return nil }
        guard !identities.contains(where: \.isNobody) else {
            throw IdentityError(
                .nobodyActs,
                "Nobody acts for no one, and nobody acts for nobody. Name who acts, and for whom."
            )
        }
        guard identities.count <= Self.maximumCount else {
            throw IdentityError(
                .tooManyActors,
                "\(identities.count) identities would act for one another, and at most \(Self.maximumCount) can. Start again with the current actor."
            )
        }
        self.identities = identities
    }

    private init(named identities: [Identity]) { self.identities = identities }

    /// The same actors under other names.
    func named(_ name: (Identity) -> Identity) -> IdentityActor { IdentityActor(named: identities.map(name)) }
}

extension IdentityActor: CustomStringConvertible {
    /// The identities, with `for` between them: `robot@contoso.com for support@contoso.com`.
    public var description: String { identities.map(\.description).joined(separator: " for ") }
}

extension Identity {
    /// The identities that act for this one; `nil` where it acts itself, and for ``nobody``.
    ///
    /// It takes no part in comparing, and is not encoded: an identity may do no more by it. Where one of them is revoked, no new work is
    /// admitted (``IdentityRevocation/admit(_:)``), and each decision of policy refuses.
    public var actor: IdentityActor? { spelling.actor }

    /// This identity, with another one acting for it: before those who act for that one, and those who acted for this one so far.
    ///
    /// - Parameter actor: The one that acts.
    /// - Returns: The same identity, which knows who acts for it.
    /// - Throws: ``IdentityError`` where one of the two is nobody, or too many would act for one another.
    public func acted(by actor: Identity) throws(IdentityError) -> Identity {
        // Nobody has no actor: work that was decided to be nobody's stays so.
        let actors =
            [isNobody ? .nobody : actor.withoutActor] + (actor.actor?.identities ?? []) + (self.actor?.identities ?? [])
        return describing(actor: try IdentityActor(actors))
    }

    /// This identity with nobody acting for it.
    public var withoutActor: Identity { actor == nil ? self : describing(actor: nil) }

    private func describing(actor: IdentityActor?) -> Identity {
        Identity(
            spelling: DescribedSpelling(
                name: name,
                record: spelling.record,
                verification: verification,
                actor: actor
            )
        )
    }
}
