import Foundation
import MultiIdentity
import Synchronization

/// The record of background work, a line of JSON each: it has no request any more that it could answer.
final class RecordFile: Sendable {
    private struct Record: Codable {
        let marker: String
        let `as`: String
        let place: String
    }

    private let path: String
    private let handle: Mutex<FileHandle>

    /// - Parameter path: The file; made if it is not there, else continued.
    /// - Throws: ``SettingsError``, where it cannot be written.
    init(path: String) throws {
        self.path = path
        // What a process left that was killed while it erased a tenant: the file is as it was.
        unlink(path + ".new")
        handle = Mutex(try Self.open(path))
    }

    /// - Parameters:
    ///   - sighting: The user that the work saw.
    ///   - marker: Which request caused it.
    ///   - caller: The way to ask for the user.
    /// - Throws: What writing throws; where the package keeps the user, an error for work of nobody, and for that
    ///   of a tenant who is signed out or wiped.
    func append(_ sighting: Sighting, of marker: Marker, by caller: Caller) throws {
        let line = try JSONEncoder().encode(Record(marker: marker.text, as: sighting.as, place: sighting.place))
        try handle.withLock { handle in
            // Asked under the lock that erasing takes, so that nothing is written behind its back.
            if case .carried = caller { try IdentityRevocation.admit(Identity.required()) }
            try handle.write(contentsOf: line + Data("\n".utf8))
        }
    }

    /// Removes all records of a tenant: the file is written anew without them, and exchanged at once.
    ///
    /// - Parameter tenant: The owner of the records.
    /// - Throws: What the file system throws; the file is as it was then.
    func erase(_ tenant: Identity) throws {
        try handle.withLock { handle in
            let lines = try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n"))
            let decoder = JSONDecoder()
            let kept = lines.filter { line in
                guard let record = try? decoder.decode(Record.self, from: line) else { return true }
                return (try? Identity(record.as)) != tenant
            }
            if kept.count == lines.count { return }
            let new = try Self.open(path + ".new")
            try new.write(contentsOf: Data(kept.flatMap { $0 + [UInt8(ascii: "\n")] }))
            try new.synchronize()
            guard rename(path + ".new", path) == 0 else {
                throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
            }
            handle = new
        }
    }

    private static func open(_ path: String) throws -> FileHandle {
        let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else {
            throw SettingsError(
                "\(path) cannot be written (\(String(cString: strerror(errno)))): set TENANT_DATA_FOLDER."
            )
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
