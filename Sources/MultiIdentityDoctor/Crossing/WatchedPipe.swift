package import Foundation

/// A pipe with handlers at its ends, which closes only when libdispatch watches neither of them any more.
///
/// On Linux libdispatch can free memory that its event thread still uses, when the other end of a descriptor hangs up
/// while it is watched (swift-corelibs-libdispatch#949). Foundation watches a duplicate, which it closes some time
/// after the handler was removed, without notice. So this polls for it.
package final class WatchedPipe: Sendable {
    package let reader: FileHandle
    package let writer: FileHandle
    private let files: Set<File>
    private let descriptors: Set<Int32>

    package convenience init() {
        guard let pipe = PipeEnds.open() else { preconditionFailure("No pipe could be opened: error \(errno).") }
        self.init(
            reader: FileHandle(fileDescriptor: pipe.reading, closeOnDealloc: true),
            writer: FileHandle(fileDescriptor: pipe.writing, closeOnDealloc: true)
        )
    }

    /// - Parameters:
    ///   - reader: Reads what `writer` writes.
    ///   - writer: The other end.
    package init(reader: FileHandle, writer: FileHandle) {
        self.reader = reader
        self.writer = writer
        descriptors = [reader.fileDescriptor, writer.fileDescriptor]
        files = Set(descriptors.compactMap { File(of: $0) })
    }

    deinit { endWatching() }

    /// Removes both handlers, and returns when the ends are no longer watched; after a second at the latest.
    package func endWatching() {
        reader.readabilityHandler = nil
        writer.writeabilityHandler = nil
        var attempts = 1_000
        while attempts > 0, isDuplicated {
            usleep(1_000)
            attempts -= 1
        }
    }

    /// True if any other descriptor of this process is one of the ends.
    private var isDuplicated: Bool {
        #if os(Linux)
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return open.lazy.compactMap { Int32($0) }.contains { descriptor in
            !self.descriptors.contains(descriptor) && File(of: descriptor).map(self.files.contains) == true
        }
        #else
        return false
        #endif
    }

    /// The file of a descriptor.
    private struct File: Hashable {
        let device: UInt64
        let number: UInt64

        init?(of descriptor: Int32) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return nil }
            (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
        }
    }
}
