import MultiIdentity

/// The subject of a claim; not an `Identity`, since unverified input must not create one.
enum ClaimedSubject: Sendable {
    case nobody
    /// A name and its actors, the current one first.
    case named(String, actors: [String] = [])

    init(_ identity: Identity) {
        let actors = identity.actor?.identities.map(\.name) ?? []
        self = identity.isNobody ? .nobody : .named(identity.name, actors: actors)
    }

    var name: String? {
        switch self {
        case .nobody: nil
        case .named(let name, _): name
        }
    }

    var actors: [String] {
        switch self {
        case .nobody: []
        case .named(_, let actors): actors
        }
    }
}
