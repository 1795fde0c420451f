public import MultiIdentity

/// The account that a place is reached with: an identity's own, or one that a service keeps itself.
///
/// The account `ada@contoso.com` at some other service is another account than the identity `ada@contoso.com`.
public enum PlaceAccount: Hashable, Sendable {
    /// The account of an identity itself, as with single sign-on.
    case identity(Identity)
    /// An account that a service keeps itself, of whatever name.
    case foreign(name: String, at: ServiceName)
}

extension PlaceAccount: CustomStringConvertible {
    /// The identity, or the name with the service that keeps it.
    public var description: String {
        switch self {
        case .identity(let identity): identity.description
        case .foreign(let name, let service): "\(EscapedText(name).quoted) of the service \(service)"
        }
    }
}
