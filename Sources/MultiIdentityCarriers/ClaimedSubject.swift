import MultiIdentity

/// The subject of a claim; not an `Identity`, since what strangers send makes none.
enum ClaimedSubject: Sendable {
    case nobody
    case named(String)

    init(_ identity: Identity) { self = identity.isNobody ? .nobody : .named(identity.name) }

    var name: String? {
        switch self {
        case .nobody: nil
        case .named(let name): name
        }
    }
}
