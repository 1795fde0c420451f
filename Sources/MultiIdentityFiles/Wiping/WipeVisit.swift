/// The receiver of what a storage finds and removes during a wipe.
public struct WipeVisit: Sendable {
    /// An event that a storage reports.
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

    /// Notes that an entry, of any owner, was looked at or removed; may wait, to leave the disk to others too.
    ///
    /// Called outside of any lock.
    public func passed() { listener(.passed) }
}
