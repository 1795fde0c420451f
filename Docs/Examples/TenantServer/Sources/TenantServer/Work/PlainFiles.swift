import Foundation
import NIOCore

/// Files as they are, each in its tenant's folder: for a server without a master key.
struct PlainFiles: FileStorage {
    let root: String

    func upload(_ name: FileName, for errand: Errand) throws -> any FileUpload {
        try PlainUpload(name, into: TenantFolder(in: root, of: errand.caller.storedName))
    }

    func download(_ name: FileName, for errand: Errand) throws -> any FileDownload {
        let folder = try TenantFolder(in: root, of: errand.caller.storedName)
        let path = folder.path + "/" + name.text
        guard let file = FileHandle(forReadingAtPath: path) else {
            // Whatever else keeps it from being opened is an error of the server's.
            guard errno == ENOENT else { throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: path]) }
            throw Refusal.noFile
        }
        return PlainDownload(handle: file)
    }
}

private struct PlainDownload: FileDownload {
    let handle: FileHandle

    func next() throws -> ByteBuffer? {
        guard let bytes = try handle.read(upToCount: 65_536), !bytes.isEmpty else { return nil }
        return ByteBuffer(bytes: bytes)
    }
}

private struct PlainUpload: FileUpload {
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
