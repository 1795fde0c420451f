/// The part that travels: the thread level, and with it the levels of one's own.
struct ModelThreadLevel: Hashable, Sendable {
    var identity: HeldIdentity
    /// The number of the levels in force, from 1 in the order in which they were made; `nil` for the shared ones.
    var levels: Int?

    /// The thread level before anything was bound.
    static let bare = ModelThreadLevel(identity: .unset, levels: nil)
}

/// The contents of process and UI levels.
struct ModelLevels: Hashable, Sendable {
    var process: HeldIdentity = .unset
    var ui: HeldIdentity = .unset
}
