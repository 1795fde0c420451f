public import MultiIdentity

/// A request for a lease: the identity, the task or thread, and the source location.
struct LeaseRequest: Sendable {
    let lessee: Identity
    /// The task or thread; 0 if it no longer waits for the lease.
    let holder: UInt
    let place: LeasePlace
}

/// The source location of a lease.
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

/// The holder of a leased resource: its identity, the lease's duration, and the source location.
public struct LeaseHolder: Hashable, Sendable, CustomStringConvertible {
    /// The identity that the lease is for.
    public let lessee: Identity
    /// How long the lease has lasted, or at least this long if its beginning was not measured.
    public let duration: Duration
    /// The file of the call, in the format of `#fileID`.
    public let fileID: String
    /// The line of the call.
    public let line: UInt

    init(_ lessee: Identity, for duration: Duration, _ place: LeasePlace) {
        self.lessee = lessee
        self.duration = duration
        fileID = "\(place.fileID)"
        line = place.line
    }

    /// The holder in words, such as `ada@contoso.com for 5.0 seconds, at App/Orders.swift:40`.
    public var description: String {
        "\(lessee)\(lessee.actor.map { " by \($0)" } ?? "") for \(duration), at \(fileID):\(line)"
    }
}
