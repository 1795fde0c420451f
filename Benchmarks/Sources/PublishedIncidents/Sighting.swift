public import MultiIdentity

/// A place in an incident: the owner of its work, and the identity that it ran as.
public struct Sighting: Hashable, Sendable {
    /// The place, in words.
    public let place: String
    /// The owner: `nil` if it has no user, nobody if it must not belong to any one user.
    public let owner: Identity?
    /// The identity that it ran as.
    public let seen: Identity?

    init(_ place: String, of owner: Identity?, saw seen: Identity?) {
        self.place = place
        self.owner = owner
        self.seen = seen
    }

    /// True if it ran as another identity, or as none although it had an owner.
    public var isLeak: Bool { owner != seen }
}

extension Sighting: CustomStringConvertible {
    /// `the next request as ada@contoso.com, not as no one`.
    public var description: String {
        "\(place) as \(Self.text(seen))\(isLeak ? ", not as \(Self.text(owner))" : "")"
    }

    private static func text(_ identity: Identity?) -> String {
        guard let identity else { return "no one" }
        return identity.isNobody ? "nobody" : identity.name
    }
}
