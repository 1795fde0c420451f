#if SecurityEvents
public import Foundation
@_exported public import IssuerKeys

/// Receives one issuer's security event tokens (RFC 8417): CAEP's, RISC's and SCIM's.
///
/// ```swift
/// let outcome = try await receiver.receive(body) { event in
///     guard event.kind == .left else { return }
///     for identity in event.identities { try registry.remove(identity, because: "the directory says so") }
/// }
/// ```
///
/// A token is verified first: signed by a key of the issuer, of type `secevent+jwt`, for this receiver, and only minutes
/// old. It is processed once, also after a restart.
public struct SecurityEventReceiver: Sendable {
    /// The outcome of a valid token.
    public enum Outcome: Hashable, Sendable {
        /// It was processed.
        case received
        /// It had been processed before, and nothing was done.
        case repeated
    }

    private let keys: IssuerKeys
    private let issuer: String
    private let audience: String
    private let maximumAge: Duration
    private let received: any ReceivedTokens
    private let now: @Sendable () -> Date

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - keys: The issuer's keys, fixed or fetched from the place where it publishes them.
    ///   - issuer: The issuer, as its tokens name it.
    ///   - audience: This receiver, as the issuer names it.
    ///   - received: The processed tokens.
    ///   - maximumAge: The age up to which a token is accepted; how long an issuer may retry.
    ///   - now: The time of day, for tests.
    public init(
        keys: IssuerKeys,
        issuer: String,
        audience: String,
        received: any ReceivedTokens,
        maximumAge: Duration = .seconds(3_600),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.keys = keys
        self.issuer = issuer
        self.audience = audience
        self.received = received
        self.maximumAge = maximumAge
        self.now = now
    }

    /// Verifies a token, and processes each of its events.
    ///
    /// - Parameters:
    ///   - token: The token, unchanged.
    ///   - act: Processes an event. It may be called again with the same one if it throws or the process ends meanwhile.
    /// - Returns: Whether anything was done.
    /// - Throws: ``SecurityEventError`` if the token is refused; `IssuerKeysError` if the issuer's keys are not available, so
    ///   that it should be sent again; the errors of `received` and `act`.
    public func receive(
        _ token: String,
        acting act: (SecurityEvent) async throws -> Void
    ) async throws -> Outcome {
        let claims = try await verified(token)
        if try await received.contains(claims.jti, of: issuer) { return .repeated }
        // A token is processed as a whole or refused.
        let events = try claims.events.sorted { $0.key < $1.key }.map { uri, event in
            guard claims.sub_id == nil || event.subject == nil || claims.sub_id == event.subject else {
                throw SecurityEventError(.invalidRequest, "It names two subjects. Have the issuer name one.")
            }
            let made = SecurityEvent(uri, subject: claims.sub_id ?? event.subject, issuer: issuer, id: claims.jti)
            // Not accepted and then ignored: the issuer would consider it done.
            if made.kind == .left || made.kind == .signedOut, made.subject?.isUnknown ?? true {
                throw SecurityEventError(.invalidRequest, "It does not name its subject in a known format.")
            }
            return made
        }
        for event in events { try await act(event) }
        let age = Double(maximumAge.components.seconds)
        // Stored last: an interrupted event is processed again, and not forgotten.
        let end = Date(timeIntervalSince1970: claims.iat + age + Self.leeway)
        try await received.insert(claims.jti, of: issuer, until: end, now: now())
        return .received
    }

    /// The accepted difference of both clocks, in seconds.
    private static let leeway = 60.0

    private func verified(_ token: String) async throws -> EventClaims {
        let payload: Data
        do {
            // An ID token or an access token of the same issuer is signed with the same keys.
            payload = try await keys.payload(of: token, typed: ["secevent+jwt"])
        } catch {
            switch error.code {
            case .malformed: throw SecurityEventError(.invalidRequest, error.message)
            case .wrongType, .critical:
                throw SecurityEventError(
                    .invalidRequest,
                    "Its type is not secevent+jwt, or it has critical extensions."
                )
            case .unavailable: throw error
            default:
                throw SecurityEventError(.invalidKey, "No key of the issuer has signed it. Check both ends' keys.")
            }
        }
        guard let claims = try? JSONDecoder().decode(EventClaims.self, from: payload) else {
            throw SecurityEventError(.invalidRequest, "Its claims are not those of RFC 8417.")
        }
        guard claims.iss == issuer else { throw SecurityEventError(.invalidIssuer, "It has another issuer.") }
        guard claims.aud.names.contains(audience) else {
            throw SecurityEventError(.invalidAudience, "It is for another receiver.")
        }
        let age = now().timeIntervalSince1970 - claims.iat
        guard age <= Double(maximumAge.components.seconds) + Self.leeway, age >= -Self.leeway else {
            throw SecurityEventError(
                .stale,
                "It was issued \(Int(min(max(age, -1e9), 1e9))) s ago. Check both clocks, or the issuer's queue."
            )
        }
        guard !claims.events.isEmpty, claims.events.count <= 16, (1...1_024).contains(claims.jti.utf8.count) else {
            throw SecurityEventError(.invalidRequest, "It has no ID, no event, or more than 16.")
        }
        return claims
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"SecurityEvents\"])")
#endif
