public import MultiIdentity

/// A place in an incident: the user it worked for, and the one it had to work for.
public struct Sighting: Hashable, Sendable {
    /// The place, in words.
    public let place: String
    /// The owner: `nil` where it has no user, nobody where it may not be any one user's.
    public let owner: Identity?
    /// The one whom it worked for.
    public let seen: Identity?

    init(_ place: String, of owner: Identity?, saw seen: Identity?) {
        self.place = place
        self.owner = owner
        self.seen = seen
    }

    /// True if it worked for another, or for no one where it had an owner.
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
