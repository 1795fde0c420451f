import Foundation
import Synchronization

/// What background work did, a line of JSON each: it has no request any more that it could answer.
final class RecordFile: Sendable {
    private let handle: Mutex<FileHandle>

    /// - Parameter path: The file; made if it is not there, else continued.
    /// - Throws: ``SettingsError``, where it cannot be written.
    init(path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else {
            throw SettingsError(
                "\(path) cannot be written (\(String(cString: strerror(errno)))): set TENANT_DATA_FOLDER."
            )
        }
        handle = Mutex(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    /// - Parameters:
    ///   - sighting: Whose work it was.
    ///   - marker: Which request caused it.
    /// - Throws: What writing throws.
    func append(_ sighting: Sighting, of marker: Marker) throws {
        let record = ["marker": marker.text, "as": sighting.as, "place": sighting.place]
        let line = try JSONEncoder().encode(record) + Data("\n".utf8)
        try handle.withLock { try $0.write(contentsOf: line) }
    }
}
