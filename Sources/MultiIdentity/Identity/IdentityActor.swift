/// The identities that act for another one: the current actor, and then the actors that it acts for in turn (RFC 8693, `act`).
///
/// ```swift
/// let work = try ada.acted(by: support)     // support acts in Ada's name
/// withIdentity(work) {
///     Identity.current == ada               // true: what may be done is what Ada may do
///     Identity.current?.actor               // support@contoso.com
/// }
/// ```
///
/// It crosses every boundary with the identity, at no extra cost.
public struct IdentityActor: Hashable, Sendable {
    /// The maximum number of identities; more are refused.
    public static let maximumCount = 8

    /// The identities, at least one; the current actor comes first.
    public let identities: [Identity]

    /// The current actor.
    public var identity: Identity { identities[0] }

    /// - Parameter identities: The identities, none of them nobody; returns `nil` if there are none.
    /// - Throws: ``IdentityError`` if one is nobody, or there are too many.
    package init?(_ identities: [Identity]) throws(IdentityError) {
        if identities.isEmpty { return nil }
        guard !identities.contains(where: \.isNobody) else {
            throw IdentityError(
                .invalidActor,
                "Nobody cannot act for an identity, and no identity can act for nobody. Name the actor and the identity."
            )
        }
        guard identities.count <= Self.maximumCount else {
            throw IdentityError(
                .tooManyActors,
                "\(identities.count) identities would act for one another; the maximum is \(Self.maximumCount). Start again with the current actor."
            )
        }
        self.identities = identities
    }

    private init(named identities: [Identity]) { self.identities = identities }

    /// Returns the same actors under other names.
    func named(_ name: (Identity) -> Identity) -> IdentityActor { IdentityActor(named: identities.map(name)) }
}

extension IdentityActor: CustomStringConvertible {
    /// The identities, with `for` between them: `robot@contoso.com for support@contoso.com`.
    public var description: String { identities.map(\.description).joined(separator: " for ") }
}

extension Identity {
    /// The identities that act for this one; `nil` if it acts itself, and for ``nobody``.
    ///
    /// It does not affect comparison, and is not encoded: an actor gives an identity no additional rights. While one of the
    /// actors is revoked, no new work is admitted (``IdentityRevocation/admit(_:)``), and each policy decision refuses.
    public var actor: IdentityActor? { spelling.actor }

    /// Returns this identity with `actor` acting for it, followed by the actors of `actor` and then the current ones.
    ///
    /// - Parameter actor: The identity that acts.
    /// - Returns: The same identity, with its actors.
    /// - Throws: ``IdentityError`` if one of the two is nobody, or there would be too many actors.
    public func acted(by actor: Identity) throws(IdentityError) -> Identity {
        // Nobody has no actor: work that was explicitly assigned to nobody stays so.
        let actors =
            [isNobody ? .nobody : actor.withoutActor] + (actor.actor?.identities ?? []) + (self.actor?.identities ?? [])
        return describing(actor: try IdentityActor(actors))
    }

    /// This identity without an actor.
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
