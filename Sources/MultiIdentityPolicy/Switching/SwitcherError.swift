/// A switcher could not be made.
public enum SwitcherError: Error, Hashable, Sendable {
    /// Another switcher serves these levels: two would not know of each other's switches.
    case levelsAreServed
}

extension SwitcherError: CustomStringConvertible {
    /// A description of the error, and what to do.
    public var description: String {
        switch self {
        case .levelsAreServed:
            """
            another IdentitySwitcher serves these levels; use that one, or let go of it first. Tests give each switcher \
            levels of its own
            """
        }
    }
}
