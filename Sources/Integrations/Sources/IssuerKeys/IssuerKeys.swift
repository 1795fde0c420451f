#if OpenIDConnect || SecurityEvents
public import Foundation

/// The public keys of a token issuer, fixed or fetched and rotated, which verify its tokens.
///
/// ```swift
/// let keys = IssuerKeys { try await fetch("https://login.example/keys") }
/// let claims = try await keys.payload(of: token, typed: ["secevent+jwt"])
/// ```
///
/// If a token names an unknown key, a new set is fetched, at most once a minute, so that made-up tokens cause no more requests than
/// that. Concurrent callers share one request.
public actor IssuerKeys {
    /// The times for fetching and using keys.
    public struct Intervals: Sendable {
        /// The age at which a set is fetched again.
        public var refresh: Duration = .seconds(3_600)
        /// The minimum time between two requests.
        public var retry: Duration = .seconds(60)
        /// The age up to which a set is used if no newer one is available.
        public var trust: Duration = .seconds(86_400)
        /// The longest time that fetching a set may take.
        public var answer: Duration = .seconds(20)

        /// Creates the default intervals.
        public init() {}
    }

    private let fetch: (@Sendable () async throws -> Data)?
    private let intervals: Intervals
    private let now: @Sendable () -> Date
    private var keys: [IssuerKey] = []
    /// When the set was received, and when it was last requested.
    private var fetched: Date?
    private var asked: Date?
    private var fetching: Task<Void, Never>?

    /// Creates keys from a set that does not change.
    ///
    /// - Parameter json: The JSON Web Key Set.
    /// - Throws: ``IssuerKeysError`` if it is not a key set.
    public init(_ json: Data) async throws(IssuerKeysError) {
        fetch = nil
        intervals = Intervals()
        now = { Date() }
        keys = try await IssuerKey.keys(of: json)
    }

    /// Creates keys from a set that is fetched when it is needed.
    ///
    /// - Parameters:
    ///   - intervals: The times for fetching it.
    ///   - now: The time of day, for tests.
    ///   - fetch: Fetches the JSON Web Key Set.
    public init(
        every intervals: Intervals = Intervals(),
        now: @escaping @Sendable () -> Date = { Date() },
        fetching fetch: @escaping @Sendable () async throws -> Data
    ) {
        self.fetch = fetch
        self.intervals = intervals
        self.now = now
    }

    /// Returns the claims of a token that one of the keys has signed.
    ///
    /// - Parameters:
    ///   - token: The token, unchanged.
    ///   - types: The accepted types, in lower case and without `application/`.
    ///   - mayBeUntyped: Whether a token without a type is accepted.
    /// - Returns: The claims as JSON, of which only the signature is checked.
    /// - Throws: ``IssuerKeysError``.
    public func payload(
        of token: String,
        typed types: Set<String>,
        orUntyped mayBeUntyped: Bool = false
    ) async throws(IssuerKeysError) -> Data {
        let token = try SignedToken(token)
        guard token.type.map(types.contains) ?? mayBeUntyped else { throw IssuerKeysError(.wrongType) }
        // Before any keys are requested.
        guard ["RS256", "PS256", "ES256", "EdDSA"].contains(token.algorithm) else { throw IssuerKeysError(.algorithm) }
        guard try await key(for: token).signed(token) else { throw IssuerKeysError(.forged) }
        return token.payload
    }

    private func key(for token: SignedToken) async throws(IssuerKeysError) -> IssuerKey {
        if isOlder(fetched, than: intervals.refresh) { await refresh() }
        if let key = known(for: token), isBelieved { return key }
        await refresh()
        guard isBelieved else { throw IssuerKeysError(.unavailable) }
        guard let key = known(for: token) else { throw IssuerKeysError(.unknownKey) }
        return key
    }

    /// Returns the key that a token names; without a name, the only key for its algorithm.
    private func known(for token: SignedToken) -> IssuerKey? {
        let keys = keys.filter { $0.algorithm == token.algorithm && (token.keyID == nil || $0.id == token.keyID) }
        // Two keys of one name are ambiguous; a key that is listed twice, such as with and without its algorithm, is not.
        return Set(keys.map(\.material)).count == 1 ? keys[0] : nil
    }

    private var isBelieved: Bool { fetch == nil || !isOlder(fetched, than: intervals.trust) }

    /// Returns whether a time is too long ago, missing, or in the future, such as after a clock was set back.
    private func isOlder(_ time: Date?, than interval: Duration) -> Bool {
        guard let time else { return true }
        let age = now().timeIntervalSince(time)
        return age < 0 || age >= Double(interval.components.seconds)
    }

    /// Fetches the set, unless that was just done; if it fails, the previous set stays.
    private func refresh() async {
        guard let fetch else { return }
        if let fetching { return await fetching.value }
        guard isOlder(asked, than: intervals.retry) else { return }
        asked = now()
        // Detached from the first caller: others wait for it, who are not cancelled, and it has no identity.
        let task = Task.detached { [intervals] in
            await self.took(try? await within(intervals.answer) { try await IssuerKey.keys(of: fetch()) })
        }
        fetching = task
        await task.value
    }

    /// Replaces the set; without a new one, the previous set is used for a while.
    private func took(_ set: [IssuerKey]?) {
        fetching = nil
        guard let set else { return }
        keys = set
        fetched = now()
    }
}
#endif
