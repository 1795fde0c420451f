#if os(Linux)
import CSystemCalls
import Dispatch
import MultiIdentity

/// Notifies of changes in some folders, by inotify(7).
final class FolderEvents: Sendable {
    /// A file was closed after writing, appeared, disappeared, or changed its permissions.
    private static let mask = [IN_CLOSE_WRITE, IN_MOVED_TO, IN_MOVED_FROM, IN_CREATE, IN_DELETE, IN_ATTRIB]
        .reduce(UInt32(0)) { $0 | UInt32($1) }

    private let descriptor: CInt
    // Safe: a dispatch source may be used from any thread, and this one is only cancelled once it is active.
    nonisolated(unsafe) private let source: any DispatchSourceRead
    /// The system's watch number of each folder.
    private let watches = Locked<[String: CInt]>([:])

    /// Returns `nil` if the system has no more instances.
    init?(on queue: DispatchQueue, _ changed: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        if descriptor < 0 { return nil }
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            Self.drain(descriptor)
            changed()
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    deinit { source.cancel() }

    /// Watches these folders and no others; those that cannot be watched are left out.
    func watch(_ folders: [String]) {
        watches.withLock { watches in
            var now: [String: CInt] = [:]
            for folder in folders {
                // The same number again for a folder that is watched already.
                let watch = inotify_add_watch(descriptor, folder, Self.mask)
                if watch >= 0 { now[folder] = watch }
            }
            for watch in Set(watches.values).subtracting(now.values) { inotify_rm_watch(descriptor, watch) }
            watches = now
        }
    }

    private static func drain(_ descriptor: CInt) {
        // The kind of event does not matter: the file is checked again.
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
}
#endif
