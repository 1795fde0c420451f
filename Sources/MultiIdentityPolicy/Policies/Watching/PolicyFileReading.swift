import CSystemCalls

/// One reading of a file of policies: its bytes, and the state that they are of.
package struct PolicyFileReading {
    package let bytes: [UInt8]
    let fingerprint: FileFingerprint

    /// Reads the whole file, in one consistent state.
    package init(path: String) throws(PolicyError) {
        // A writer in place can change it while it is read; then it is read again.
        for _ in 1...5 {
            if let reading = try Self(onceFrom: path) {
                self = reading
                return
            }
        }
        throw PolicyError(
            .beingWritten,
            path: path,
            "The file changed during every attempt to read it. Write a new file beside it and rename that to this name."
        )
    }

    /// Returns `nil` if the file changed meanwhile.
    private init?(onceFrom path: String) throws(PolicyError) {
        let descriptor = sys_open(sys_here, path, sys_access_read_following, 0)
        if descriptor < 0 { throw Self.systemError(-descriptor, "open", path) }
        defer { sys_close(descriptor) }
        let before = try Self.status(of: descriptor, path)
        guard before.kind == sys_kind_file else {
            throw PolicyError(.notAFile, path: path, "It is not a regular file. Name the right file.")
        }
        guard before.mode & 0o002 == 0 else {
            throw PolicyError(
                .writableByAll,
                path: path,
                "Every user of this machine can write it, and so set the policies. Forbid that: chmod o-w."
            )
        }
        guard before.size <= UInt64(PolicySet.maximumByteCount) else {
            throw PolicyError(
                .tooLarge,
                path: path,
                "It has \(before.size) bytes, but at most \(PolicySet.maximumByteCount) are read. Name the right file."
            )
        }
        let size = Int(before.size)
        var failure: CInt = 0
        bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            // Safe: only the bytes that read(2) has written, at most `size`, are counted as initialised.
            while count < size, let base = buffer.baseAddress {
                let got = sys_read(descriptor, base + count, size - count)
                if got < 0 { failure = CInt(-got) }
                if got <= 0 { break }
                count += got
            }
        }
        if failure != 0 { throw Self.systemError(failure, "read", path) }
        fingerprint = FileFingerprint(before)
        let after = FileFingerprint(try Self.status(of: descriptor, path))
        if after != fingerprint || bytes.count != size { return nil }
    }

    private static func status(of descriptor: CInt, _ path: String) throws(PolicyError) -> sys_status {
        var status = sys_status()
        let result = sys_status(descriptor, &status)
        if result < 0 { throw systemError(-result, "fstat", path) }
        return status
    }

    private static func systemError(_ code: CInt, _ call: String, _ path: String) -> PolicyError {
        if code == ENOENT || code == ENOTDIR {
            return PolicyError(
                .missing,
                path: path,
                "The file does not exist. Create it, or name another."
            )
        }
        let reason = String(cString: strerror(code))
        return PolicyError(
            .unreadable,
            path: path,
            "The system refused to \(call) it: \(reason). Let this process read it."
        )
    }
}
