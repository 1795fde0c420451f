/// The owner of work: the identity, those who act for it, and the life of each name in which the work began.
///
/// Two pieces of work have the same owner only if all of that agrees, whichever place asks: a fan-in, a cache, a flight, a batch, a
/// lease. A life lasts from one revocation of a name to the next.
package struct WorkOwner: Sendable {
    package let identity: Identity
    /// The life of the identity (``WorkTally/generation``).
    let life: UInt32
    /// The lives of those who act for it, in their order.
    private let livesOfActors: [UInt32]

    /// The owner of work that begins as an identity now.
    package init(_ identity: Identity) { self.init(identity, life: identity.spelling.record.tally.generation) }

    /// The owner of work that began as an identity in one of its lives; no one knows the lives of its actors then but as they are now.
    init(_ identity: Identity, life: UInt32) {
        self.identity = identity
        self.life = identity.isNobody ? 0 : life
        livesOfActors = identity.actor?.identities.map(\.spelling.record.tally.generation) ?? []
    }

    package static let nobody = WorkOwner(.nobody)

    /// The first of the identity and its actors whose life is over; `nil` where new work of this owner may begin.
    var revoked: RevokedOwner? {
        let actors = identity.actor?.identities ?? []
        for (name, life) in zip([identity] + actors, [life] + livesOfActors) {
            let tally = name.spelling.record.tally
            if tally.keepsOut(life) { return RevokedOwner(of: name, for: tally.reason) }
        }
        return nil
    }

    /// Lets new work of this owner begin, or says why it may not: nothing of an earlier life comes back with a readmission.
    package func admit() throws(IdentityError) {
        if let revoked { throw IdentityError(revoked) }
    }
}

extension WorkOwner: Hashable {
    package static func == (one: WorkOwner, other: WorkOwner) -> Bool {
        one.identity == other.identity && one.life == other.life && one.livesOfActors == other.livesOfActors
            && one.identity.actor == other.identity.actor
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(life)
    }
}

extension WorkOwner: CustomStringConvertible {
    /// `ada@contoso.com`, or `ada@contoso.com by support@contoso.com, who was signed out`.
    package var description: String {
        let end = revoked.map { ", who was \($0.reason)" } ?? ""
        return "\(identity)\(identity.actor.map { " by \($0)" } ?? "")\(end)"
    }
}

extension Identity {
    /// Returns whether a revocation of `other` is one of this: it is the identity, or acts for it.
    package func involves(_ other: Identity) -> Bool {
        self == other || actor?.identities.contains(other) == true
    }
}
