/// The rule for work that needs an owner and has none: its effective identity is nobody, or unset.
public enum WorkWithoutOwner: Hashable, Sendable, CaseIterable {
    /// It goes through, as nobody's: no policy applies to it.
    case open
    /// It is refused: nothing that needs an owner goes through without one.
    case closed
}
