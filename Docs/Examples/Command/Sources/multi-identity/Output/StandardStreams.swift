import Foundation

/// Writes bytes to a descriptor that is not ours alone: the standard output, the standard error.
enum StandardStreams {
    /// Writes all of it.
    ///
    /// - Throws: ``CommandFailure`` where nobody takes it, or the disk that it goes to is full.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(CommandFailure) {
        var rest = bytes
        while !rest.isEmpty {
            #if canImport(Darwin)
            let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
            #else
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            #endif
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno == EAGAIN {
                // Somebody who has the same pipe or terminal made it non-blocking.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, -1)
            } else if errno != EINTR {
                let name = descriptor == STDOUT_FILENO ? "standard output" : "standard error"
                let reason = String(cString: strerror(errno))
                throw CommandFailure(.systemFailure, "outputFailed", "The \(name) takes no more: \(reason).")
            }
        }
    }

    /// Writes text.
    static func write(_ text: String, to descriptor: Int32) throws(CommandFailure) {
        try write(Array(text.utf8), to: descriptor)
    }

    /// Writes bytes.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(CommandFailure) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(CommandFailure) in try write(bytes, to: descriptor) }
        }
        try result.get()
    }
}
