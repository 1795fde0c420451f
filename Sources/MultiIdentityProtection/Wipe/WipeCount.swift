/// What was removed.
struct WipeCount: Equatable, Sendable {
    var files: UInt64 = 0
    var bytes: UInt64 = 0
    /// How many keys there were before they were destroyed, where that could be told.
    var keys: Int?
}
