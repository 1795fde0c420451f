public import MultiIdentity

/// A place in an incident: whose work it is, and whom it worked for.
public struct Sighting: Hashable, Sendable {
    /// The place, in words.
    public let place: String
    /// The owner: `nil` where it has no user, nobody where it must not be any one user's.
    public let owner: Identity?
    /// The identity that it worked for.
    public let seen: Identity?

    init(_ place: String, of owner: Identity?, saw seen: Identity?) {
        self.place = place
        self.owner = owner
        self.seen = seen
    }

    /// True if it worked for another identity, or for none where it had an owner.
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
