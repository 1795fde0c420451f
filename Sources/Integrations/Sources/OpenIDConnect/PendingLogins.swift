#if OpenIDConnect
import Crypto
import Foundation
import IssuerKeys

/// A log-in that was begun, until its user comes back.
struct PendingLogin: Sendable {
    let nonce: String
    /// The secret of PKCE; the provider was shown its hash.
    let verifier = Self.secret()
    let maximumAge: Duration?
    let expires: Date

    var challenge: String { Data(SHA256.hash(data: Data(verifier.utf8))).base64URL }

    /// 256 bits that nobody guesses.
    static func secret() -> String { SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64URL }
}

/// The log-ins that were begun, each of which is taken once.
struct PendingLogins {
    private var byState: [String: PendingLogin] = [:]
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Notes a log-in, in the place of the oldest ones where there are too many.
    mutating func add(_ login: PendingLogin, state: String, now: Date) {
        byState = byState.filter { $0.value.expires > now }
        if byState.count >= limit, let oldest = byState.min(by: { $0.value.expires < $1.value.expires }) {
            byState[oldest.key] = nil
        }
        byState[state] = login
    }

    /// Takes a log-in, so that neither its state nor its nonce is good for another.
    mutating func take(_ state: String, now: Date) -> PendingLogin? {
        guard let login = byState.removeValue(forKey: state), login.expires > now else { return nil }
        return login
    }
}
#endif
