public import MultiIdentity

/// The other identities that a policy allows data to go to or come from.
public enum IdentityRule: Hashable, Sendable {
    /// No other identity.
    case noOne
    /// Any identity that is managed.
    case managed
    /// Any identity, managed or not, and nobody.
    case anyone
    /// These identities, managed or not.
    case only(Set<Identity>)

    /// The identities in words, as the end of a sentence about a policy.
    var inWords: String {
        switch self {
        case .noOne: "no other identity"
        case .managed: "managed identities only"
        case .anyone: "anyone"
        case .only(let identities) where identities.isEmpty: "no other identity"
        case .only(let identities) where identities.count == 1: "1 listed identity only"
        case .only(let identities): "\(identities.count) listed identities only"
        }
    }

    func admits(_ identity: Identity?, isManaged: Bool) -> Bool {
        switch self {
        case .noOne: false
        case .managed: isManaged
        case .anyone: true
        case .only(let identities): identity?.isAmong(identities) ?? false
        }
    }
}

extension IdentityRule: CustomStringConvertible {
    /// The rule as written in a policy file: `none`, `managed`, `anyone`, or the names in brackets.
    public var description: String {
        switch self {
        case .noOne: "none"
        case .managed: "managed"
        case .anyone: "anyone"
        case .only(let identities): "[\(identities.sorted().map(\.description).joined(separator: ", "))]"
        }
    }
}
