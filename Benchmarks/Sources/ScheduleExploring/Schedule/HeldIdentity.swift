import MultiIdentity

/// The identity in a level, in a schedule and in the model of the rules: identities are numbered, so that a schedule
/// does not depend on their names.
enum HeldIdentity: Hashable, Sendable {
    case unset
    case nobody
    /// One of the exploration's identities, from 1.
    case named(Int)
    /// An identity that no step ever bound; only found, never expected.
    case stranger(String)

    /// Finds the number of an identity among `identities`.
    init(_ identity: Identity?, among identities: [Identity]) {
        guard let identity else {
            self = .unset
            return
        }
        if identity.isNobody {
            self = .nobody
        } else if let index = identities.firstIndex(of: identity) {
            self = .named(index + 1)
        } else {
            self = .stranger(identity.name)
        }
    }

    /// The identity itself; a number that stands for none of `identities` is refused before a schedule is run.
    func identity(among identities: [Identity]) -> Identity? {
        switch self {
        case .unset, .stranger: nil
        case .nobody: .nobody
        case .named(let number): identities.indices.contains(number - 1) ? identities[number - 1] : nil
        }
    }

    /// As a person reads it.
    func prose(_ identities: [Identity]) -> String {
        switch self {
        case .unset: "unset"
        case .nobody: "nobody"
        case .named(let number): identity(among: identities).map { "\($0)" } ?? "#\(number)"
        case .stranger(let name): "\(name), which no step bound"
        }
    }
}

extension HeldIdentity: CustomStringConvertible {
    /// As it stands in a schedule: `unset`, `nobody` or `#1`.
    var description: String {
        switch self {
        case .unset: "unset"
        case .nobody: "nobody"
        case .named(let number): "#\(number)"
        case .stranger(let name): "(\(name))"
        }
    }

    /// Parses what ``description`` writes, apart from strangers.
    init?(parsing word: Substring) {
        switch word {
        case "unset": self = .unset
        case "nobody": self = .nobody
        default:
            guard word.first == "#", let number = Int(word.dropFirst()), number > 0 else { return nil }
            self = .named(number)
        }
    }
}
