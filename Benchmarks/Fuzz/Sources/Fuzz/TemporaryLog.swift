import AccessLog
import Foundation

/// A log file that is written anew for each input.
enum TemporaryLog {
    static let path: String = {
        // In memory where there is such a place: it is written for every input.
        let folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(folder)/multi-identity-fuzz-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        require(descriptor >= 0, "cannot make a file in \(folder)")
        close(descriptor)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        atexit { unlink(TemporaryLog.path) }
        return path
    }()

    /// Reads these bytes, and checks that the numbers and counts add up; an empty log has no lines.
    static func lines(of bytes: [UInt8], chunkSize: Int, lineLimit: Int) -> [AccessLogLine] {
        write(bytes)
        do {
            var reader = try AccessLogReader(path: path, chunkSize: chunkSize, lineLimit: lineLimit)
            var lines: [AccessLogLine] = []
            while let line = try reader.next() { lines.append(line) }
            require(reader.entryCount + reader.malformedCount == lines.count, "the counts do not add up")
            require(lines.map(\.lineNumber) == Array(1..<lines.count + 1), "the numbers are not those of the lines")
            return lines
        } catch {
            require(error == .empty(path: path), "\(error)")
            return []
        }
    }

    static func write(_ bytes: [UInt8]) {
        guard let file = fopen(path, "w") else { fatalError("cannot write \(path)") }
        require(fwrite(bytes, 1, bytes.count, file) == bytes.count, "cannot write \(path)")
        fclose(file)
    }
}
