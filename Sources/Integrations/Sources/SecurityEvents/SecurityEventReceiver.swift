#if SecurityEvents
public import Foundation
@_exported public import IssuerKeys

/// Receives security event tokens (RFC 8417) of one issuer: CAEP's, RISC's and SCIM's.
///
/// ```swift
/// let outcome = try await receiver.receive(body) { event in
///     guard event.kind == .left else { return }
///     for identity in event.identities { try registry.remove(identity, because: "the directory says so") }
/// }
/// ```
///
/// A token is verified before anything is done: signed by a key of the issuer, of type `secevent+jwt`, for this receiver, and of the
/// last minutes. It is acted on once, also after a restart.
public struct SecurityEventReceiver: Sendable {
    /// The outcome of a token that is in order.
    public enum Outcome: Hashable, Sendable {
        /// It was acted on.
        case received
        /// It had been acted on before, and nothing was done.
        case repeated
    }

    private let keys: IssuerKeys
    private let issuer: String
    private let audience: String
    private let maximumAge: Duration
    private let received: any ReceivedTokens
    private let now: @Sendable () -> Date

    /// A receiver.
    ///
    /// - Parameters:
    ///   - keys: The issuer's keys, fixed or fetched from where it publishes them.
    ///   - issuer: The issuer, as its tokens name it.
    ///   - audience: This receiver, as the issuer names it.
    ///   - received: The tokens that were acted on.
    ///   - maximumAge: The age up to which a token is believed; how long an issuer may go on to send one.
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

    /// Verifies a token, and acts on each of its events.
    ///
    /// - Parameters:
    ///   - token: The token, as it came.
    ///   - act: Acts on an event. It may be called again with the same one, where it throws or the process ends meanwhile.
    /// - Returns: Whether anything was done.
    /// - Throws: ``SecurityEventError`` where it is refused; `IssuerKeysError` where the issuer's keys cannot be had, so that it should
    ///   be sent again; what `received` or `act` throws.
    public func receive(
        _ token: String,
        acting act: (SecurityEvent) async throws -> Void
    ) async throws -> Outcome {
        let claims = try await verified(token)
        if try await received.contains(claims.jti, of: issuer) { return .repeated }
        // A token is whole or it is refused: not acted on in part.
        let events = try claims.events.sorted { $0.key < $1.key }.map { uri, event in
            guard claims.sub_id == nil || event.subject == nil || claims.sub_id == event.subject else {
                throw SecurityEventError(.invalidRequest, "It names two subjects. Have the issuer name one.")
            }
            let made = SecurityEvent(uri, subject: claims.sub_id ?? event.subject, issuer: issuer, id: claims.jti)
            // Not accepted and then passed over: the issuer would take it for done.
            if made.kind == .left || made.kind == .signedOut, made.subject?.isUnknown ?? true {
                throw SecurityEventError(.invalidRequest, "It does not say whom it is about in a format that is known.")
            }
            return made
        }
        for event in events { try await act(event) }
        let age = Double(maximumAge.components.seconds)
        // Noted last: what was begun and not ended is done again, and not forgotten.
        let end = Date(timeIntervalSince1970: claims.iat + age + Self.leeway)
        try await received.insert(claims.jti, of: issuer, until: end, now: now())
        return .received
    }

    /// The seconds by which both clocks may differ.
    private static let leeway = 60.0

    private func verified(_ token: String) async throws -> EventClaims {
        let payload: Data
        do {
            // An id token or an access token of the same issuer is signed with the same keys.
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
                throw SecurityEventError(.invalidKey, "No key of the issuer signed it so. Look at both ends' keys.")
            }
        }
        guard let claims = try? JSONDecoder().decode(EventClaims.self, from: payload) else {
            throw SecurityEventError(.invalidRequest, "Its claims are not those of RFC 8417.")
        }
        guard claims.iss == issuer else { throw SecurityEventError(.invalidIssuer, "It is of another issuer.") }
        guard claims.aud.names.contains(audience) else {
            throw SecurityEventError(.invalidAudience, "It is for another receiver.")
        }
        let age = now().timeIntervalSince1970 - claims.iat
        guard age <= Double(maximumAge.components.seconds) + Self.leeway, age >= -Self.leeway else {
            throw SecurityEventError(
                .stale,
                "It was issued \(Int(min(max(age, -1e9), 1e9))) s ago. Look at both clocks, or at the issuer's queue."
            )
        }
        guard !claims.events.isEmpty, claims.events.count <= 16, (1...1_024).contains(claims.jti.utf8.count) else {
            throw SecurityEventError(.invalidRequest, "It has no id, no event, or more than 16.")
        }
        return claims
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"SecurityEvents\"])")
#endif
