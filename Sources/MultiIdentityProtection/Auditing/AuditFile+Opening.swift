import CSystemCalls
import MultiIdentity
import MultiIdentityFiles

extension AuditFile {
    /// Opens a file that no other user can write, and locks it; creates it if it is missing.
    static func opened(_ path: String) throws(ProtectionError) -> OpenFile {
        let file = try ProtectionError.from { () throws(SystemCallError) in try openedOrMade(path) }
        let status = try ProtectionError.from { () throws(SystemCallError) in try file.status() }
        guard status.isFile, status.user == geteuid(), status.permissions & 0o022 == 0 else {
            throw ProtectionError(
                .unsafeFile,
                "\(path) is not a file that only this process's user owns and can write. Change its owner to that user and its mode to 600."
            )
        }
        guard try ProtectionError.from({ () throws(SystemCallError) in try file.lock() }) else {
            throw ProtectionError(
                .inUse,
                "\(path) is already open, in this process or another. Open it once at a time."
            )
        }
        return file
    }

    private static func openedOrMade(_ path: String) throws(SystemCallError) -> OpenFile {
        while true {
            do { return try OpenFile.open(path, .readingAndWriting) } catch {
                if !error.isNotFound { throw error }
            }
            do {
                let file = try OpenFile.open(path, .creating)
                try OpenFile.folder(of: path).synchronize()
                return file
            } catch {
                if !error.isAlreadyThere { throw error }
            }
        }
    }

    /// The last complete line of a file, its end, and whether an incomplete one follows.
    static func end(of file: borrowing OpenFile) throws(ProtectionError) -> (Position, size: UInt64, hasRest: Bool) {
        let size = try ProtectionError.from { () throws(SystemCallError) in try file.status().size }
        let start = size - min(size, UInt64(AuditLine.maximumLength * 2))
        let bytes = try read(file, from: start, upTo: Int(size - start))
        var text = lastLine(of: bytes[...])
        // No line has a zero: a power cut left sectors of this one out, so it was never acknowledged. The one before was.
        if let last = text, UnwrittenSectors.areIn(last, at: start + UInt64(last.startIndex)) {
            text = lastLine(of: bytes[..<last.startIndex])
        }
        guard let text else {
            // The first line was never whole; one that has no end is none of ours.
            if start > 0 || bytes.count > AuditLine.maximumLength { throw ProtectionError(unendedAudit: file.path) }
            return (Position(0, AuditLine.start), 0, size > 0)
        }
        guard let line = AuditLine(text) else { throw ProtectionError(unendedAudit: file.path) }
        if AuditLine.number(after: line.number) == nil { throw ProtectionError(fullAudit: file.path) }
        let whole = start + UInt64(text.endIndex) + 1
        return (Position(line.number, line.chain), whole, whole < size)
    }

    /// The last line that ends, without its end.
    private static func lastLine(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let newline = UInt8(ascii: "\n")
        guard let end = bytes.lastIndex(of: newline) else { return nil }
        return bytes[(bytes[..<end].lastIndex(of: newline).map { $0 + 1 } ?? bytes.startIndex)..<end]
    }

    /// Reads so many bytes from a place, or up to the end.
    static func read(
        _ file: borrowing OpenFile,
        from start: UInt64,
        upTo count: Int
    ) throws(ProtectionError) -> [UInt8] {
        try ProtectionError.from { () throws(SystemCallError) in
            try [UInt8](capacity: count) { (buffer) throws(SystemCallError) in try file.read(into: buffer, at: start) }
        }
    }
}

extension ProtectionError {
    init(unendedAudit path: String) {
        self.init(.damaged, "\(path) does not end with an audit line. Move it away to begin a new one.")
    }

    init(fullAudit path: String) {
        self.init(
            .damaged,
            "\(path) ends with the last line number possible. Move it away to begin a new one."
        )
    }
}
