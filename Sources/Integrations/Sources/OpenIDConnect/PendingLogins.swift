#if OpenIDConnect
import Crypto
import Foundation
import IssuerKeys

/// A login that has begun, until its user comes back.
struct PendingLogin: Sendable {
    let nonce: String
    /// The PKCE secret; the provider has seen its hash.
    let verifier = Self.secret()
    let maximumAge: Duration?
    let expires: Date

    var challenge: String { Data(SHA256.hash(data: Data(verifier.utf8))).base64URL }

    /// 256 random bits.
    static func secret() -> String { SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64URL }
}

/// The logins that have begun, each of which can be taken once.
struct PendingLogins {
    private var byState: [String: PendingLogin] = [:]
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Adds a login, and drops the oldest ones if there are too many.
    mutating func add(_ login: PendingLogin, state: String, now: Date) {
        byState = byState.filter { $0.value.expires > now }
        if byState.count >= limit, let oldest = byState.min(by: { $0.value.expires < $1.value.expires }) {
            byState[oldest.key] = nil
        }
        byState[state] = login
    }

    /// Takes a login, so that its state and its nonce cannot be used again.
    mutating func take(_ state: String, now: Date) -> PendingLogin? {
        guard let login = byState.removeValue(forKey: state), login.expires > now else { return nil }
        return login
    }
}
#endif
