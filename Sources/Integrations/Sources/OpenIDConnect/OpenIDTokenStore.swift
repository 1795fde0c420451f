#if OpenIDConnect
public import MultiIdentity
import Synchronization

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
