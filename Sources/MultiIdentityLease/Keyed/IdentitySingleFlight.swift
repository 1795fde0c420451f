/// Runs work once, by key and owner, for all callers that ask while it is in progress.
///
/// ```swift
/// let profiles = IdentitySingleFlight<String, Profile>()
/// let profile = try await profiles.value(for: "ada") { try await fetch("ada") }
/// ```
public final class IdentitySingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let sharing: IdentitySharing
    private let flights = FlightTable<Key, Value>()

    /// Creates an empty set of flights.
    ///
    /// - Parameter sharing: The callers that share the work.
    public init(_ sharing: IdentitySharing = .perIdentity) { self.sharing = sharing }

    /// The number of flights in progress.
    package var count: Int { flights.all.count }

    /// The number of callers that wait for a flight.
    public var waiting: Int { flights.all.reduce(0) { $0 + $1.joiners.count } }

    /// Captured when called: runs `work` as the first caller, or as nobody if it is shared, and returns its outcome to all callers that
    /// ask meanwhile, in the order of their calls.
    ///
    /// Each caller continues in its own task, with its own identity and companions. Only a caller that is cancelled gets
    /// `CancellationError`; the work is cancelled once no caller waits for it.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - work: The work; not called if it is already in progress for the same owner.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work; ``LeaseError`` if no identity is bound, or if the work would wait for itself
    ///   (`.wouldDeadlock`); `IdentityError` with `.revoked` if the owner is revoked before or during the call.
    public func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await flights.value(for: OwnedKey(owner: sharing.owner(), key: key), sharing, work)
    }
}
