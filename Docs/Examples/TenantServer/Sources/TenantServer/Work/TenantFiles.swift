import HTTPTypes
import Hummingbird
import NIOCore

/// Tenants' files, written while they come in and read while they go out.
struct TenantFiles: Sendable {
    let storage: any FileStorage
    let queue: any WorkQueue
    var maximumSize = 16 * 1_024 * 1_024

    /// Writes a file while its bytes come in.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - body: Its bytes.
    ///   - errand: The owner's errand.
    /// - Returns: The user that was seen where the file was opened, and where it was finished.
    /// - Throws: ``Refusal`` where it is too large; what the connection or the file system throws.
    func receive(_ name: FileName, _ body: RequestBody, for errand: Errand) async throws -> [Sighting] {
        let storage = storage
        let (upload, opened) = try await queue.run {
            let opened = errand.sighting(at: "upload opened")
            do {
                return (try storage.upload(name, for: errand), opened)
            } catch {
                throw Refusal(receiving: error) ?? error
            }
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
            throw Refusal(receiving: error) ?? error
        }
    }

    /// A file's bytes, read while they go out.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - errand: The owner's errand.
    /// - Returns: The body of the answer.
    /// - Throws: ``Refusal``, where this tenant has no such file; what reading its beginning throws.
    func send(_ name: FileName, for errand: Errand) async throws -> ResponseBody {
        let (storage, queue) = (storage, queue)
        // Its first bytes are read before the answer begins: a file that cannot be read is an error, and no half of one.
        let (file, first) = try await queue.run {
            do {
                let file = try storage.download(name, for: errand)
                return (file, try file.next())
            } catch {
                throw Refusal(sending: error) ?? error
            }
        }
        return ResponseBody { writer in
            var next = first
            while let bytes = next {
                try await writer.write(bytes)
                next = try await queue.run { try file.next() }
            }
            try await queue.run { _ = errand.sighting(at: "file sent") }
            try await writer.finish(nil)
        }
    }
}
