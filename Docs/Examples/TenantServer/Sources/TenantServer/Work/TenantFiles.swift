import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Tenants' files, each in the folder of whoever's work touches it: asked where it is touched.
struct TenantFiles: Sendable {
    let root: String
    let queue: any WorkQueue
    var maximumSize = 16 * 1_024 * 1_024

    /// Writes a file while its bytes come in.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - body: Its bytes.
    ///   - errand: Whose it is.
    /// - Returns: Whose work it was where the file was opened, and where it was finished.
    /// - Throws: ``Refusal`` where it is too large; what the connection or the file system throws.
    func receive(_ name: FileName, _ body: RequestBody, for errand: Errand) async throws -> [Sighting] {
        let root = root
        let (upload, opened) = try await queue.run {
            let opened = errand.sighting(at: "upload opened")
            return (try Upload(name, into: TenantFolder(in: root, of: errand.caller.storedName)), opened)
        }
        do {
            var size = 0
            for try await bytes in body {
                size += bytes.readableBytes
                guard size <= maximumSize else {
                    throw Refusal(.contentTooLarge, code: "too_large", "A file has up to \(maximumSize) bytes.")
                }
                try await queue.run { try upload.write(bytes) }
            }
            let finished = try await queue.run {
                try upload.finish()
                return errand.sighting(at: "upload finished")
            }
            return [opened, finished]
        } catch {
            upload.abandon()
            throw error
        }
    }

    /// A file's bytes, read while they go out.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - errand: Whose it is.
    /// - Returns: The body of the answer.
    /// - Throws: ``Refusal``, where this tenant has no such file.
    func send(_ name: FileName, for errand: Errand) async throws -> ResponseBody {
        let (root, queue) = (root, queue)
        let file = try await queue.run {
            let folder = try TenantFolder(in: root, of: errand.caller.storedName)
            let path = folder.path + "/" + name.text
            guard let file = FileHandle(forReadingAtPath: path) else {
                // Whatever else keeps it from being opened is an error of the server's.
                guard errno == ENOENT else { throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: path]) }
                throw Refusal(.notFound, code: "no_file", "You have no file of this name.")
            }
            return file
        }
        return ResponseBody { writer in
            while let bytes = try await queue.run({ try file.read(upToCount: 65_536) }), !bytes.isEmpty {
                try await writer.write(ByteBuffer(bytes: bytes))
            }
            try await queue.run { _ = errand.sighting(at: "file sent") }
            try await writer.finish(nil)
        }
    }
}
