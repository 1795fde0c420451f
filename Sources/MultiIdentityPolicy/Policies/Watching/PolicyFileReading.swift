#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// One reading of a file of policies: its bytes, and the state that they are of.
struct PolicyFileReading {
    let bytes: [UInt8]
    let fingerprint: FileFingerprint

    /// Reads the file whole, as it stood at one moment.
    init(path: String) throws(PolicyFileError) {
        // A writer in place changes it while it is read: then it is read again.
        for _ in 1...5 {
            if let reading = try Self(onceFrom: path) {
                self = reading
                return
            }
        }
        throw PolicyFileError(
            .beingWritten,
            path: path,
            "It changed each time while it was being read. Write a new file beside it and rename that to this name."
        )
    }

    /// `nil` where it changed meanwhile.
    private init?(onceFrom path: String) throws(PolicyFileError) {
        // Without waiting: a pipe would have this wait for somebody to write.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { throw Self.systemError(errno, "open", path) }
        defer { close(descriptor) }
        let before = try Self.status(of: descriptor, path)
        guard before.st_mode & S_IFMT == S_IFREG else {
            throw PolicyFileError(.notAFile, path: path, "It is no regular file. Name the file with the policies.")
        }
        guard before.st_mode & S_IWOTH == 0 else {
            throw PolicyFileError(
                .writableByAll,
                path: path,
                "Anybody on this machine may write it, and so set the policies. Take that away: chmod o-w."
            )
        }
        guard before.st_size <= PolicySet.maximumByteCount else {
            throw PolicyFileError(
                .tooLarge,
                path: path,
                "It has \(before.st_size) bytes, and at most \(PolicySet.maximumByteCount) are read. Name the file with the policies."
            )
        }
        let size = Int(before.st_size)
        var failure: CInt = 0
        bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            // Safe: only the bytes that read(2) has written, at most `size`, are counted as initialised.
            while count < size, let base = buffer.baseAddress {
                let got = read(descriptor, base + count, size - count)
                if got > 0 {
                    count += got
                } else if got == 0 {
                    break
                } else if errno != EINTR {
                    failure = errno
                    break
                }
            }
        }
        if failure != 0 { throw Self.systemError(failure, "read", path) }
        fingerprint = FileFingerprint(before)
        let after = FileFingerprint(try Self.status(of: descriptor, path))
        if after != fingerprint || bytes.count != size { return nil }
    }

    private static func status(of descriptor: CInt, _ path: String) throws(PolicyFileError) -> stat {
        var status = stat()
        if fstat(descriptor, &status) != 0 { throw systemError(errno, "fstat", path) }
        return status
    }

    private static func systemError(_ code: CInt, _ call: String, _ path: String) -> PolicyFileError {
        if code == ENOENT || code == ENOTDIR {
            return PolicyFileError(
                .missing,
                path: path,
                "There is no such file. Put the policies there, or name another."
            )
        }
        let reason = String(cString: strerror(code))
        return PolicyFileError(
            .unreadable,
            path: path,
            "The system refused to \(call) it: \(reason). Let this process read it."
        )
    }
}
