public import MultiIdentity

/// The owner of a job, as a row can store it: unset, nobody and an identity are three things.
public enum JobOwner: Hashable, Sendable {
    /// Nothing was bound.
    case unset
    /// It was decided that the work is nobody's.
    case nobody
    /// Somebody.
    case identity(Identity)

    /// The owner that work has which is captured here.
    public static var current: JobOwner { JobOwner(Identity.current) }

    /// The owner that stands for what a scope binds.
    public init(_ identity: Identity?) {
        switch identity {
        case nil: self = .unset
        case let identity? where identity.isNobody: self = .nobody
        case let identity?: self = .identity(identity)
        }
    }

    /// The identity that a scope binds for this owner; `nil` unsets.
    public var identity: Identity? {
        switch self {
        case .unset: nil
        case .nobody: .nobody
        case .identity(let identity): identity
        }
    }
}

extension JobOwner {
    /// An owner as three columns of text, none of them null.
    public struct Columns: Hashable, Sendable {
        /// `unset`, `nobody` or `named`.
        public var kind: String
        /// The name as it was spelled; else empty.
        public var name: String
        /// The form that all spellings of the name share, to look rows up by; else empty.
        public var key: String

        /// Three columns, as a row has them.
        public init(kind: String, name: String, key: String) {
            self.kind = kind
            self.name = name
            self.key = key
        }
    }

    /// The owner as a row holds it.
    public var columns: Columns {
        switch self {
        case .unset: Columns(kind: "unset", name: "", key: "")
        case .nobody: Columns(kind: "nobody", name: "", key: "")
        case .identity(let identity): Columns(kind: "named", name: identity.name, key: identity.caselessName)
        }
    }

    /// The owner that a row names, or `nil` where its columns contradict each other or hold no name.
    public init?(_ columns: Columns) {
        switch columns.kind {
        case "unset" where columns.name.isEmpty && columns.key.isEmpty: self = .unset
        case "nobody" where columns.name.isEmpty && columns.key.isEmpty: self = .nobody
        case "named":
            guard let identity = try? Identity(columns.name),
                identity.caselessName.utf8.elementsEqual(columns.key.utf8)
            else { return nil }
            self = .identity(identity)
        default: return nil
        }
    }
}

extension JobOwner {
    /// The names of those who act for the owner as one column of text, a line each, the one that acts now first.
    public var actors: String { identity?.actor?.identities.map(\.name).joined(separator: "\n") ?? "" }

    /// The owner that a row names, with those who act for it, or `nil` where these are none or it is nobody who could have any.
    public init?(_ columns: Columns, actors: String) {
        self.init(columns)
        for name in actors.split(separator: "\n", omittingEmptySubsequences: false).reversed() where !actors.isEmpty {
            guard case .identity(let identity) = self, let actor = try? Identity(String(name)),
                let acted = try? identity.acted(by: actor)
            else { return nil }
            self = .identity(acted)
        }
    }
}

extension JobOwner: CustomStringConvertible {
    /// The name, `(nobody)` or `(unset)`.
    public var description: String { identity.map { "\($0)" } ?? "(unset)" }
}
