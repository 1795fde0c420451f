import Foundation

/// An open log, closed when it goes out of scope.
struct LogFile: ~Copyable {
    let path: String
    private let descriptor: Int32

    init(path: String) throws(AccessLogError) {
        // The system would silently take the part before the NUL for the path.
        guard !path.utf8.contains(0) else {
            throw .unreadable(path: path, code: EINVAL, reason: Self.text(of: EINVAL))
        }
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else {
            let code = errno
            throw .unreadable(path: path, code: code, reason: Self.text(of: code))
        }
        self.path = path
        descriptor = opened
    }

    deinit {
        _ = close(descriptor)
    }

    /// Replaces the bytes with up to `size` following ones; leaves none at the end of the file.
    borrowing func read(into bytes: inout [UInt8], size: Int, afterLine line: Int) throws(AccessLogError) {
        var code: Int32 = 0
        bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var result = 0
            repeat {
                result = systemRead(descriptor, buffer.baseAddress, size)
                code = result < 0 ? errno : 0
            } while code == EINTR
            count = max(result, 0)
        }
        if code == EISDIR {
            throw .directory(path: path)
        }
        if code != 0 {
            throw .readFailed(path: path, afterLine: line, code: code, reason: Self.text(of: code))
        }
    }

    private static func text(of code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

/// Inside the type, `read` is its own method.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ size: Int) -> Int {
    read(descriptor, buffer, size)
}
