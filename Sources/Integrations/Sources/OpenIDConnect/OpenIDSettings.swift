#if OpenIDConnect
import Foundation

/// The provider that logs users in, and how this program is known there.
public struct OpenIDSettings: Sendable {
    /// The claim of an id token that names the identity.
    public enum IdentityClaim: Hashable, Sendable {
        /// The subject, which an issuer gives to no other.
        case subject
        /// The address of mail, where the provider says that it is verified.
        case email
        /// The name that the user goes by there; only where the provider lets nobody choose their own.
        case preferredUsername
    }

    let issuer: String
    let clientID: String
    let clientSecret: String?
    let redirectURL: String
    let identity: IdentityClaim
    let scopes: [String]

    /// The settings of one provider.
    ///
    /// - Parameters:
    ///   - issuer: The provider's issuer, as its document and its tokens have it, letter by letter.
    ///   - clientID: The id of this program there.
    ///   - clientSecret: The secret of this program there, if it has one.
    ///   - redirectURL: The URL of this program that users come back to.
    ///   - identity: The claim that names the identity.
    ///   - scopes: What is asked for, beside `openid`.
    /// - Throws: ``OpenIDError`` where a URL is neither of HTTPS nor of this machine.
    public init(
        issuer: String,
        clientID: String,
        clientSecret: String? = nil,
        redirectURL: String,
        identity: IdentityClaim = .subject,
        scopes: [String] = ["email", "profile"]
    ) throws(OpenIDError) {
        guard Self.isSafe(issuer), !issuer.contains("?"), !issuer.contains("#") else {
            throw OpenIDError(.settings, "The issuer is no URL of HTTPS or of this machine, or it has a query.")
        }
        guard !clientID.isEmpty, URL(string: redirectURL)?.scheme != nil else {
            throw OpenIDError(.settings, "The client has no id, or comes back to no URL.")
        }
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirectURL = redirectURL
        self.identity = identity
        self.scopes = ["openid"] + scopes.filter { $0 != "openid" }
    }

    /// Returns whether nobody on the way reads or changes what goes there.
    static func isSafe(_ text: String) -> Bool {
        guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty, url.user == nil,
            url.fragment == nil
        else { return false }
        switch url.scheme?.lowercased() {
        case "https": return true
        case "http": return ["127.0.0.1", "[::1]", "::1", "localhost"].contains(host.lowercased())
        default: return false
        }
    }
}
#endif
