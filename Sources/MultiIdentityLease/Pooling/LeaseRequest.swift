public import MultiIdentity

/// A request for a lease: whose it is, the task or thread that makes it, and where.
struct LeaseRequest: Sendable {
    let lessee: Identity
    /// The task or thread; 0 where nobody waits for it any more.
    let holder: UInt
    let place: LeasePlace
}

/// The place in the source where a lease was taken.
@usableFromInline
struct LeasePlace: Sendable {
    @usableFromInline let fileID: StaticString
    @usableFromInline let line: UInt

    @inlinable
    init(_ fileID: StaticString, _ line: UInt) {
        self.fileID = fileID
        self.line = line
    }
}

/// The holder of a leased resource: who, for how long, and the place in the source.
public struct LeaseHolder: Hashable, Sendable, CustomStringConvertible {
    /// The identity that the lease is for.
    public let lessee: Identity
    /// The time for which the lease has lasted; at least, where it was not measured from its beginning.
    public let duration: Duration
    /// The file in which it was taken, as `#fileID` spells it.
    public let fileID: String
    /// The line in which it was taken.
    public let line: UInt

    init(_ lessee: Identity, for duration: Duration, _ place: LeasePlace) {
        self.lessee = lessee
        self.duration = duration
        fileID = "\(place.fileID)"
        line = place.line
    }

    /// `ada@contoso.com for 5.0 seconds, at App/Orders.swift:40`.
    public var description: String {
        "\(lessee)\(lessee.actor.map { " by \($0)" } ?? "") for \(duration), at \(fileID):\(line)"
    }
}
