import Foundation

/// Reads the standard input in pieces, until its end or until an end is wanted.
enum StandardInput {
    /// - Returns: At most `count` bytes, as many as are there; none at the end.
    static func read(upTo count: Int) throws(CommandFailure) -> [UInt8] {
        while true {
            try Interruption.waitForInput(STDIN_FILENO)
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                #if canImport(Darwin)
                let got = Darwin.read(STDIN_FILENO, buffer.baseAddress, count)
                #else
                let got = Glibc.read(STDIN_FILENO, buffer.baseAddress, count)
                #endif
                if got < 0 { failure = errno }
                filled = max(0, got)
            }
            if failure == 0 { return bytes }
            if failure != EINTR, failure != EAGAIN {
                let reason = String(cString: strerror(failure))
                throw CommandFailure(.noInput, "inputFailed", "The standard input cannot be read: \(reason).")
            }
        }
    }
}
