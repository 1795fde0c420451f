public import MultiIdentity

/// A store of identities' files, from which a wipe removes those of one identity.
///
/// ``IdentityFileSystem`` conforms. Both methods are called off the main thread, one call at a time for each identity,
/// and may block. In a wipe, the identity is revoked before. A storage must ask `IdentityRevocation` before it creates a file,
/// and again when it records the owner, so that the wipe misses no file.
public protocol WipedStorage: Sendable {
    /// The name of the storage in reports, such as a root's path; it must stay the same after a restart.
    var storageName: String { get }

    /// Reports each file of an identity, and changes nothing.
    ///
    /// - Parameters:
    ///   - identity: The owner of the files, managed or not, revoked or not.
    ///   - visit: Receives each file found (``WipeVisit/found(_:bytes:)``), each failure to check one
    ///     (``WipeVisit/failed(_:)``), and each entry passed (``WipeVisit/passed()``).
    /// - Throws: ``WipeFailure`` if the search cannot continue.
    func files(of identity: Identity, _ visit: WipeVisit) throws(WipeFailure)

    /// Removes every file of an identity, including hard links, replaced files and leftovers of interrupted operations.
    ///
    /// When it returns, the removal, including the records of owners, survives a power cut. It continues after a file that
    /// cannot be removed. After a crash it is called again, and must find what is left.
    ///
    /// - Parameters:
    ///   - identity: The owner of the files.
    ///   - visit: Receives each file removed (``WipeVisit/removed(_:bytes:)``), each failure
    ///     (``WipeVisit/failed(_:)``), and each entry passed (``WipeVisit/passed()``).
    /// - Throws: ``WipeFailure`` if the removal cannot continue; then some files were not checked.
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

    /// Reports a file of the identity that was found and not removed.
    public func found(_ path: String, bytes: UInt64) { listener(.found(path: path, bytes: bytes)) }

    /// Reports a removed file; report the bytes of a file with several names only once.
    public func removed(_ path: String, bytes: UInt64) { listener(.removed(path: path, bytes: bytes)) }

    /// Reports a file, or a part of the storage, that could not be checked or removed.
    public func failed(_ failure: WipeFailure) { listener(.failed(failure)) }

    /// Reports that an entry of any owner was checked or removed; this may block, to leave disk bandwidth to others.
    ///
    /// Call it outside any lock.
    public func passed() { listener(.passed) }
}

/// Data that a wipe did not remove, and the reason.
public struct WipeFailure: Error, Hashable, Codable, Sendable {
    /// What is left: a path or another name.
    public let subject: String
    /// The reason, and what to do, in words.
    public let reason: String

    /// Creates a failure from what is left and why.
    public init(_ subject: String, because reason: String) {
        self.subject = subject
        self.reason = reason
    }
}

extension WipeFailure: CustomStringConvertible {
    /// The subject and the reason, such as `/data/a: permission denied`.
    public var description: String { "\(subject): \(reason)" }
}
