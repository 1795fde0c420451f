public import MultiIdentity

/// A place that holds files of identities, from which a wipe removes those of one.
///
/// ``IdentityFileSystem`` is one. Both methods are called off the main thread, for one identity once at a time, and may
/// block. Work for a revoked identity is refused by then: whatever makes files asks `IdentityRevocation`
/// before it makes one, and once more when the owner is recorded, so that none comes to be behind the wipe's back.
public protocol WipedStorage: Sendable {
    /// The name of the storage in reports, as a root's path; the same after a restart.
    var storageName: String { get }

    /// Tells of each file that an identity owns, and touches none.
    ///
    /// - Parameters:
    ///   - identity: The owner of the files: managed or not, revoked or not.
    ///   - visit: Notified of each file found (``WipeVisit/found(_:bytes:)``), of each that could not be looked at
    ///     (``WipeVisit/failed(_:)``), and of each entry on the way (``WipeVisit/passed()``).
    /// - Throws: ``WipeFailure`` where the files cannot be found, so that nothing more can be reported.
    func files(of identity: Identity, _ visit: WipeVisit) throws(WipeFailure)

    /// Removes every file that an identity owns: hard links, replaced files and what an interrupted operation left too.
    ///
    /// Returns once that would survive a power cut, records of owners included. It goes on after a file that cannot be
    /// removed. After a crash it is called again, and finds what is left.
    ///
    /// - Parameters:
    ///   - identity: The owner of the files.
    ///   - visit: Notified of each file removed (``WipeVisit/removed(_:bytes:)``), of each that was not
    ///     (``WipeVisit/failed(_:)``), and of each entry on the way (``WipeVisit/passed()``).
    /// - Throws: ``WipeFailure`` where it cannot be gone on at all: not all was looked at.
    func removeFiles(of identity: Identity, _ visit: WipeVisit) throws(WipeFailure)
}

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

/// Something that a wipe did not remove, and why.
public struct WipeFailure: Error, Hashable, Codable, Sendable {
    /// The thing that is left: a path, or what else names it.
    public let subject: String
    /// The reason, and what to do, for people.
    public let reason: String

    /// Says what is left and why.
    public init(_ subject: String, because reason: String) {
        self.subject = subject
        self.reason = reason
    }
}

extension WipeFailure: CustomStringConvertible {
    /// `/data/a: permission denied`.
    public var description: String { "\(subject): \(reason)" }
}
