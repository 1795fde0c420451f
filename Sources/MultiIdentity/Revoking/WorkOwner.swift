/// The owner of work: the identity, its actors, and the life of each name in which the work began.
///
/// Two pieces of work have the same owner only if all of that is equal; a fan-in, a cache, a flight, a batch and a lease all
/// use this comparison. A life lasts from one revocation of a name to the next.
package struct WorkOwner: Sendable {
    package let identity: Identity
    /// The life of the identity (``WorkTally/generation``).
    let life: UInt32
    /// The lives of its actors, in order; `nil` in the usual case without actors.
    private let actors: Actors?

    private final class Actors: Sendable {
        let lives: [UInt32]
        init(_ lives: [UInt32]) { self.lives = lives }
    }

    /// Makes the owner of work that begins as an identity now.
    package init(_ identity: Identity) { self.init(identity, life: identity.spelling.record.tally.generation) }

    /// Makes the owner of work that began as an identity in one of its lives; only the current lives of its actors are known.
    init(_ identity: Identity, life: UInt32) {
        self.identity = identity
        self.life = identity.isNobody ? 0 : life
        actors = identity.actor.map { Actors($0.identities.map(\.spelling.record.tally.generation)) }
    }

    package static let nobody = WorkOwner(.nobody)

    /// The first of the identity and its actors whose life is over; `nil` if new work of this owner may begin.
    var revoked: RevokedOwner? {
        if let revoked = Self.revoked(identity, life) { return revoked }
        guard let actors, let identities = identity.actor?.identities else { return nil }
        return zip(identities, actors.lives).lazy.compactMap { Self.revoked($0, $1) }.first
    }

    private static func revoked(_ name: Identity, _ life: UInt32) -> RevokedOwner? {
        let tally = name.spelling.record.tally
        return tally.keepsOut(life) ? RevokedOwner(of: name, for: tally.reason) : nil
    }

    /// Admits new work of this owner, or throws the reason why not: a readmission does not revive an earlier life.
    package func admit() throws(IdentityError) {
        if let revoked { throw IdentityError(revoked) }
    }
}

extension WorkOwner: Hashable {
    package static func == (one: WorkOwner, other: WorkOwner) -> Bool {
        guard one.life == other.life, one.identity == other.identity else { return false }
        if one.actors == nil && other.actors == nil { return true }
        return one.actors?.lives == other.actors?.lives && one.identity.actor == other.identity.actor
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
    /// Returns whether revoking `other` affects this owner: it is the identity or one of its actors.
    package func involves(_ other: Identity) -> Bool {
        self == other || actor?.identities.contains(other) == true
    }
}
