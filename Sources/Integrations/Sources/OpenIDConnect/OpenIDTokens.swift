#if OpenIDConnect
public import Foundation
public import MultiIdentity
import Synchronization

/// The tokens of a user who has logged in; none of them is ever shown.
public struct OpenIDTokens: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The identity that they are of.
    public let identity: Identity
    /// The subject, which the issuer gives to no other.
    public let subject: String
    /// The token that services take.
    public let accessToken: String
    /// The end of the access token.
    public let expires: Date
    /// The token that others come of, if the provider gave one.
    public let refreshToken: String?
    /// The account that they are kept for, where the identity is another name of it.
    public internal(set) var account: Identity?

    /// The identity that they are kept for.
    var owner: Identity { account ?? identity }

    /// The identity without its tokens.
    public var description: String { "tokens of \(identity)" }
    /// The identity without its tokens.
    public var debugDescription: String { description }
    /// The identity without its tokens.
    public var customMirror: Mirror { Mirror(self, children: ["identity": identity]) }
}

/// A place where the tokens of users are kept.
public protocol OpenIDTokenStore: Sendable {
    /// Returns the tokens of an identity; `nil` where there are none.
    func tokens(of identity: Identity) throws -> OpenIDTokens?

    /// Keeps tokens in the place of those that the identity had, or removes them.
    func set(_ tokens: OpenIDTokens?, of identity: Identity) throws
}

/// Tokens that are gone with the process; their users log in again then.
public final class OpenIDTokensInMemory: OpenIDTokenStore {
    private let tokens = Mutex<[Identity: OpenIDTokens]>([:])

    /// No tokens yet.
    public init() {}

    /// Returns the tokens of an identity.
    public func tokens(of identity: Identity) -> OpenIDTokens? { tokens.withLock { $0[identity] } }

    /// Keeps tokens, or removes them.
    public func set(_ tokens: OpenIDTokens?, of identity: Identity) { self.tokens.withLock { $0[identity] = tokens } }
}
#endif
