import Foundation

/// A file that is rewritten for each input.
enum TemporaryFile {
    static let path: String = {
        // In memory if possible: it is written for every input.
        let folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(folder)/multi-identity-fuzz-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        require(descriptor >= 0, "cannot make a file in \(folder)")
        close(descriptor)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        atexit { unlink(TemporaryFile.path) }
        return path
    }()

    static func write(_ bytes: [UInt8]) {
        guard let file = fopen(path, "w") else { fatalError("cannot write \(path)") }
        require(fwrite(bytes, 1, bytes.count, file) == bytes.count, "cannot write \(path)")
        fclose(file)
    }
}
