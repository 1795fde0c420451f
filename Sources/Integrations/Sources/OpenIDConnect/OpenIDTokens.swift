#if OpenIDConnect
public import Foundation
public import MultiIdentity

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

    /// The identity without its tokens.
    public var description: String { "tokens of \(identity)" }
    /// The identity without its tokens.
    public var debugDescription: String { description }
    /// The identity without its tokens.
    public var customMirror: Mirror { Mirror(self, children: ["identity": identity]) }
}
#endif
