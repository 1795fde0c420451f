import MultiIdentity

/// The user of the work, asked at the place that does it.
enum Caller: Sendable {
    /// The package knows; this value holds no user.
    case carried
    /// A thread-local is believed to know.
    case threadLocal
    /// It was handed through as an argument.
    case passed(String)

    /// The user, as the place that asks sees it: to be shown, and to decide nothing.
    var name: String {
        switch self {
        case .carried: Identity.current?.name ?? "no one"
        case .threadLocal: ThreadUser.current ?? "no one"
        case .passed(let name): name
        }
    }

    /// The user as a key, as the place that asks sees it.
    ///
    /// It throws where the package sees nobody.
    var key: Key {
        get throws {
            switch self {
            case .carried: .identity(try Identity.required())
            case .threadLocal, .passed: .name(name)
            }
        }
    }

    /// A name that all spellings of the user share, as the place that asks sees it: for folders and databases.
    ///
    /// It throws where the package sees nobody.
    var storedName: String {
        get throws {
            switch self {
            case .carried: try Identity.required().caselessName
            case .threadLocal, .passed: name.lowercased()
            }
        }
    }

    /// The key by which a user's things are kept.
    enum Key: Hashable {
        case identity(Identity)
        case name(String)
    }
}
