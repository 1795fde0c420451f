#if OpenIDConnect
import Foundation

/// The provider that logs users in, and this program's registration there.
public struct OpenIDSettings: Sendable {
    /// The claim of an ID token that names the identity.
    public enum IdentityClaim: Hashable, Sendable {
        /// The subject, which an issuer gives to no one else.
        case subject
        /// The email address, if the provider says that it is verified.
        case email
        /// The user name there; use it only if users cannot choose their own.
        case preferredUsername
    }

    let issuer: String
    let clientID: String
    let clientSecret: String?
    let redirectURL: String
    let identity: IdentityClaim
    let scopes: [String]

    /// Creates the settings of one provider.
    ///
    /// - Parameters:
    ///   - issuer: The provider's issuer, exactly as in its document and its tokens.
    ///   - clientID: This program's ID there.
    ///   - clientSecret: This program's secret there, if it has one.
    ///   - redirectURL: The URL of this program to which users come back.
    ///   - identity: The claim that names the identity.
    ///   - scopes: The requested scopes besides `openid`.
    /// - Throws: ``OpenIDError`` if a URL is neither HTTPS nor on this machine.
    public init(
        issuer: String,
        clientID: String,
        clientSecret: String? = nil,
        redirectURL: String,
        identity: IdentityClaim = .subject,
        scopes: [String] = ["email", "profile"]
    ) throws(OpenIDError) {
        guard Self.isSafe(issuer), !issuer.contains("?"), !issuer.contains("#") else {
            throw OpenIDError(.settings, "The issuer's URL is neither HTTPS nor on this machine, or it has a query.")
        }
        guard !clientID.isEmpty, URL(string: redirectURL)?.scheme != nil else {
            throw OpenIDError(.settings, "The client has no ID or no redirect URL.")
        }
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirectURL = redirectURL
        self.identity = identity
        self.scopes = ["openid"] + scopes.filter { $0 != "openid" }
    }

    /// Returns whether a URL is protected against reading and changes on the network.
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
