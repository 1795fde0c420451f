/// Work that is done once for all who ask for it meanwhile, by its key and owner.
///
/// ```swift
/// let profiles = IdentitySingleFlight<String, Profile>()
/// let profile = try await profiles.value(for: "ada") { try await fetch("ada") }
/// ```
public final class IdentitySingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let sharing: IdentitySharing
    private let flights = FlightTable<Key, Value>()

    /// Flights that nobody is in yet.
    ///
    /// - Parameter sharing: Who shares the work.
    public init(_ sharing: IdentitySharing = .perIdentity) { self.sharing = sharing }

    /// The number of flights under way.
    package var count: Int { flights.all.count }

    /// The number of those who wait for a flight.
    public var waiting: Int { flights.all.reduce(0) { $0 + $1.joiners.count } }

    /// Captured when called: runs `work` as the first caller, or as nobody where it is shared, and gives its outcome to all
    /// who ask meanwhile, in the order in which they asked.
    ///
    /// Each who asks goes on in its own task, with its own identity and companions. Where that is cancelled, it alone gets
    /// `CancellationError`; the work is cancelled once nobody waits for it.
    ///
    /// - Parameters:
    ///   - key: What is asked for.
    ///   - work: How it is had, unless somebody of the same identity is about it already.
    /// - Returns: What the work returned.
    /// - Throws: What the work threw; ``LeaseError`` where no identity is bound, and with `.wouldDeadlock` in work that
    ///   would wait for itself; `IdentityError` with `.revoked` where its owner was revoked, meanwhile too.
    public func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await flights.value(for: OwnedKey(owner: sharing.owner(), key: key), sharing, work)
    }
}
