/// The count of what was removed.
struct WipeCount: Equatable, Sendable {
    var files: UInt64 = 0
    var bytes: UInt64 = 0
    /// The number of keys before they were destroyed, where the provider can tell.
    var keys: Int?
}
