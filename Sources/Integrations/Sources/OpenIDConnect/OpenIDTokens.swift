#if OpenIDConnect
public import Foundation
public import MultiIdentity
import Synchronization

/// The tokens of a logged-in user, which are never shown.
public struct OpenIDTokens: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The identity of the user.
    public let identity: Identity
    /// The subject, which the issuer gives to no one else.
    public let subject: String
    /// The token for services.
    public let accessToken: String
    /// The time at which the access token expires.
    public let expires: Date
    /// The token for refreshing, if the provider sent one.
    public let refreshToken: String?
    /// The account that they are stored for, if the identity is an alias of it.
    public internal(set) var account: Identity?

    /// The identity that they are stored for.
    var owner: Identity { account ?? identity }

    /// The identity without its tokens.
    public var description: String { "tokens of \(identity)" }
    /// The identity without its tokens.
    public var debugDescription: String { description }
    /// The identity without its tokens.
    public var customMirror: Mirror { Mirror(self, children: ["identity": identity]) }
}

/// A store of users' tokens.
public protocol OpenIDTokenStore: Sendable {
    /// Returns the tokens of an identity; `nil` if there are none.
    func tokens(of identity: Identity) throws -> OpenIDTokens?

    /// Replaces or removes the tokens of an identity.
    func set(_ tokens: OpenIDTokens?, of identity: Identity) throws
}

/// A token store in memory; users log in again after a restart.
public final class OpenIDTokensInMemory: OpenIDTokenStore {
    private let tokens = Mutex<[Identity: OpenIDTokens]>([:])

    /// Creates an empty store.
    public init() {}

    /// Returns the tokens of an identity.
    public func tokens(of identity: Identity) -> OpenIDTokens? { tokens.withLock { $0[identity] } }

    /// Replaces or removes tokens.
    public func set(_ tokens: OpenIDTokens?, of identity: Identity) { self.tokens.withLock { $0[identity] = tokens } }
}
#endif
