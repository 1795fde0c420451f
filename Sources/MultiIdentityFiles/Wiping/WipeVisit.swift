/// Whom a storage tells what it finds and removes during a wipe.
public struct WipeVisit: Sendable {
    /// What a storage tells.
    package enum Event: Sendable {
        case passed
        case found(path: String, bytes: UInt64)
        case removed(path: String, bytes: UInt64)
        case failed(WipeFailure)
    }

    private let listener: @Sendable (Event) -> Void

    package init(_ listener: @escaping @Sendable (Event) -> Void) { self.listener = listener }

    /// A file of the identity is there, and stays.
    public func found(_ path: String, bytes: UInt64) { listener(.found(path: path, bytes: bytes)) }

    /// A file of the identity is gone; bytes count once for a file with several names.
    public func removed(_ path: String, bytes: UInt64) { listener(.removed(path: path, bytes: bytes)) }

    /// A file, or a part of the storage, could not be looked at or removed.
    public func failed(_ failure: WipeFailure) { listener(.failed(failure)) }

    /// An entry was looked at, whoever's it is, or removed; may wait, so that a wipe leaves the disk to others too.
    ///
    /// Called with no lock held.
    public func passed() { listener(.passed) }
}
