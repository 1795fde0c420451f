/// An open file below a root; dropping the value closes it.
public struct IdentityFile: ~Copyable, Sendable {
    /// The path that the file was opened by.
    public let path: String
    let file: OpenFile
    private let store: OwnerStore

    init(_ file: consuming OpenFile, _ path: RootedPath, _ store: OwnerStore) {
        self.file = file
        self.path = path.text
        self.store = store
    }

    /// The system's file descriptor, for calls that this type lacks; it is closed with this value.
    public var descriptor: Int32 { file.descriptor }

    /// Returns the file's owner, even if the file was renamed; `nil` if it has no record.
    ///
    /// - Returns: The owner.
    /// - Throws: ``IdentityFileError`` if the record is damaged.
    /// - Complexity: One system call; two with an index.
    public func owner() throws(IdentityFileError) -> FileOwner? {
        try store.owner(of: file, RootedPath(known: path))
    }

    /// Returns the size of the file in bytes.
    ///
    /// - Returns: The size in bytes.
    /// - Throws: ``IdentityFileError`` if the system call fails.
    public func size() throws(IdentityFileError) -> UInt64 {
        try IdentityFileError.from(path) { () throws(SystemCallError) in try file.status().size }
    }

    /// Reads the next bytes.
    ///
    /// - Parameter count: The maximum number of bytes to read.
    /// - Returns: The bytes available, at most `count`; none at the end of the file.
    /// - Throws: ``IdentityFileError`` if the system call fails.
    public func read(upTo count: Int) throws(IdentityFileError) -> [UInt8] {
        var all = try piece(upTo: count)
        // Allocates memory for the bytes that exist, not for the number requested.
        while all.count >= Self.pieceSize, all.count < count {
            let next = try piece(upTo: count - all.count)
            if next.isEmpty { break }
            all += next
        }
        return all
    }

    private static let pieceSize = 1 << 20

    private func piece(upTo count: Int) throws(IdentityFileError) -> [UInt8] {
        do {
            return try [UInt8](capacity: min(max(0, count), Self.pieceSize)) { (buffer) throws(SystemCallError) in
                try file.read(into: buffer)
            }
        } catch { throw IdentityFileError(error, path) }
    }

    /// Reads from the current position to the end.
    ///
    /// - Returns: The bytes.
    /// - Throws: ``IdentityFileError`` if the system call fails.
    public func readToEnd() throws(IdentityFileError) -> [UInt8] {
        var all: [UInt8] = []
        while case let piece = try read(upTo: 1 << 16), !piece.isEmpty { all += piece }
        return all
    }

    /// Writes bytes at the current position.
    ///
    /// - Parameter bytes: The bytes; all of them are written.
    /// - Throws: ``IdentityFileError`` if the system call fails; some bytes may have been written.
    public func write(_ bytes: [UInt8]) throws(IdentityFileError) {
        try IdentityFileError.from(path) { () throws(SystemCallError) in try file.write(bytes) }
    }

    /// Sets the position of the next read or write.
    ///
    /// - Parameter offset: The position in bytes from the start.
    /// - Throws: ``IdentityFileError`` if the system call fails.
    public func seek(to offset: UInt64) throws(IdentityFileError) {
        try IdentityFileError.from(path) { () throws(SystemCallError) in try file.seek(to: offset) }
    }

    /// Truncates the file, or extends it with zeros; the owner stays.
    ///
    /// - Parameter size: The new size in bytes.
    /// - Throws: ``IdentityFileError`` if the system call fails.
    public func truncate(to size: UInt64) throws(IdentityFileError) {
        try IdentityFileError.from(path) { () throws(SystemCallError) in try file.truncate(to: size) }
    }

    /// Makes everything written so far survive a power cut.
    ///
    /// - Throws: ``IdentityFileError`` if the system call fails.
    public func synchronize() throws(IdentityFileError) {
        try IdentityFileError.from(path) { () throws(SystemCallError) in try file.synchronize() }
    }
}
