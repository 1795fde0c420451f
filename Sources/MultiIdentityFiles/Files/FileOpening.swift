/// The purpose that a file is opened for, and its effect on the owner.
public enum FileOpening: Hashable, Sendable, CaseIterable {
    /// To read; it has to exist and keeps its owner.
    case reading
    /// To read and write; it has to exist and keeps its content and its owner.
    case writing
    /// To read, and to write at its end; made where it is missing, else it keeps its owner.
    case appending
    /// To read and write; made where it is missing, else emptied. It is the opener's from then on.
    case truncating
    /// To read and write; it must not exist. It is the opener's.
    case creating
}
