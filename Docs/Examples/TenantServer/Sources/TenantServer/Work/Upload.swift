import Foundation
import NIOCore

/// A file that is being received: it is there under its name once it is whole, and never in parts.
struct Upload: Sendable {
    private let handle: FileHandle
    private let temporary: String
    private let path: String

    /// - Parameters:
    ///   - name: The file's name.
    ///   - folder: The tenant's folder; made if it is not there.
    /// - Throws: What the file system throws.
    init(_ name: FileName, into folder: TenantFolder) throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        path = folder.path + "/" + name.text
        // What a process that was killed left behind has another name, and is nobody's file.
        temporary = folder.path + "/.upload-\(UUID().uuidString)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: temporary]) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ bytes: ByteBuffer) throws { try handle.write(contentsOf: Data(bytes.readableBytesView)) }

    func finish() throws {
        try handle.close()
        guard rename(temporary, path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
    }

    func abandon() { try? FileManager.default.removeItem(atPath: temporary) }
}
