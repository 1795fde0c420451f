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
