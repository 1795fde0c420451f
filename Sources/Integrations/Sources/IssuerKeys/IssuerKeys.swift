#if OpenIDConnect || SecurityEvents
public import Foundation

/// The public keys of an issuer of tokens, fixed or fetched and rotated, and what they say of a token.
///
/// ```swift
/// let keys = IssuerKeys { try await fetch("https://login.example/keys") }
/// let claims = try await keys.payload(of: token, typed: ["secevent+jwt"])
/// ```
///
/// A key that a token names and that is not known is looked for in a new set, at most once a minute: who sends made-up tokens has the
/// issuer asked no more often. Who waits for the same set waits for one request.
public actor IssuerKeys {
    /// The intervals by which keys are fetched, and believed.
    public struct Intervals: Sendable {
        /// The age at which a set is fetched anew.
        public var refresh: Duration = .seconds(3_600)
        /// The least time between two requests.
        public var retry: Duration = .seconds(60)
        /// The age up to which a set is believed where no newer one can be had.
        public var trust: Duration = .seconds(86_400)
        /// The longest time that fetching a set may take.
        public var answer: Duration = .seconds(20)

        /// The intervals of the defaults.
        public init() {}
    }

    private let fetch: (@Sendable () async throws -> Data)?
    private let intervals: Intervals
    private let now: @Sendable () -> Date
    private var keys: [IssuerKey] = []
    /// When the set came, and when it was asked for last.
    private var fetched: Date?
    private var asked: Date?
    private var fetching: Task<Void, Never>?

    /// The keys of a set that does not change.
    ///
    /// - Parameter json: The JSON Web Key Set.
    /// - Throws: ``IssuerKeysError`` where it is none.
    public init(_ json: Data) async throws(IssuerKeysError) {
        fetch = nil
        intervals = Intervals()
        now = { Date() }
        keys = try await IssuerKey.keys(of: json)
    }

    /// The keys of a set that is fetched when it is needed.
    ///
    /// - Parameters:
    ///   - intervals: The intervals by which it is fetched.
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

    /// Returns the claims of a token that one of the keys signed.
    ///
    /// - Parameters:
    ///   - token: The token, as it came.
    ///   - types: The types that it may have, in lower case and without `application/`.
    ///   - mayBeUntyped: Whether it may have none.
    /// - Returns: The claims as JSON, of which nothing is checked but who signed them.
    /// - Throws: ``IssuerKeysError``.
    public func payload(
        of token: String,
        typed types: Set<String>,
        orUntyped mayBeUntyped: Bool = false
    ) async throws(IssuerKeysError) -> Data {
        let token = try SignedToken(token)
        guard token.type.map(types.contains) ?? mayBeUntyped else { throw IssuerKeysError(.wrongType) }
        // Before anybody is asked for keys.
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

    /// The key that a token names; where it names none, the only one that there is for its algorithm.
    private func known(for token: SignedToken) -> IssuerKey? {
        let keys = keys.filter { $0.algorithm == token.algorithm && (token.keyID == nil || $0.id == token.keyID) }
        // Two keys of one name could be anybody's; one that is listed twice, such as with and without its algorithm, is not two.
        return Set(keys.map(\.material)).count == 1 ? keys[0] : nil
    }

    private var isBelieved: Bool { fetch == nil || !isOlder(fetched, than: intervals.trust) }

    /// Returns whether a time is longer ago, or not there, or after now, as when a clock was set back.
    private func isOlder(_ time: Date?, than interval: Duration) -> Bool {
        guard let time else { return true }
        let age = now().timeIntervalSince(time)
        return age < 0 || age >= Double(interval.components.seconds)
    }

    /// Asks for the set, unless that was done a moment ago; what cannot be had or read leaves the one before.
    private func refresh() async {
        guard let fetch else { return }
        if let fetching { return await fetching.value }
        guard isOlder(asked, than: intervals.retry) else { return }
        asked = now()
        // Not of who happens to ask first: others wait for it, who are not cancelled, and it is not in their name.
        let task = Task.detached { [intervals] in
            await self.took(try? await within(intervals.answer) { try await IssuerKey.keys(of: fetch()) })
        }
        fetching = task
        await task.value
    }

    /// Takes a set in the place of the one before, which is believed for a while where there is none.
    private func took(_ set: [IssuerKey]?) {
        fetching = nil
        guard let set else { return }
        keys = set
        fetched = now()
    }
}
#endif
