/// An open file below a root; closed when it is dropped.
public struct IdentityFile: ~Copyable, Sendable {
    /// The path that it was opened by.
    public let path: String
    let file: OpenFile
    private let store: OwnerStore

    init(_ file: consuming OpenFile, _ path: RootedPath, _ store: OwnerStore) {
        self.file = file
        self.path = path.text
        self.store = store
    }

    /// The system's descriptor, for calls that this type lacks; it is closed with this value.
    public var descriptor: Int32 { file.descriptor }

    /// The file's owner, whatever its names are by now; `nil` where it was never seen.
    ///
    /// - Returns: The owner.
    /// - Throws: ``IdentityFileError`` where what is recorded is damaged.
    /// - Complexity: One system call, with an index two.
    public func owner() throws(IdentityFileError) -> FileOwner? {
        try store.owner(of: file, RootedPath(known: path))
    }

    /// Returns the size of the file in bytes.
    ///
    /// - Returns: The count.
    /// - Throws: ``IdentityFileError`` where the system refuses it.
    public func size() throws(IdentityFileError) -> UInt64 {
        try IdentityFileError.from(path) { () throws(SystemCallError) in try file.status().size }
    }

    /// Reads what comes next.
    ///
    /// - Parameter count: The most bytes to read.
    /// - Returns: As many bytes as there are, at most `count`; none at the end of the file.
    /// - Throws: ``IdentityFileError`` where the system refuses it.
    public func read(upTo count: Int) throws(IdentityFileError) -> [UInt8] {
        var all = try piece(upTo: count)
        // Memory is taken for what is there, however much is asked for.
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

    /// Reads from here to the end.
    ///
    /// - Returns: The bytes.
    /// - Throws: ``IdentityFileError`` where the system refuses it.
    public func readToEnd() throws(IdentityFileError) -> [UInt8] {
        var all: [UInt8] = []
        while case let piece = try read(upTo: 1 << 16), !piece.isEmpty { all += piece }
        return all
    }

    /// Writes bytes at the file's place.
    ///
    /// - Parameter bytes: All of them are written.
    /// - Throws: ``IdentityFileError`` where the system refuses it; some may be written then.
    public func write(_ bytes: [UInt8]) throws(IdentityFileError) {
        try IdentityFileError.from(path) { () throws(SystemCallError) in try file.write(bytes) }
    }

    /// Sets the place of the next read or write.
    ///
    /// - Parameter offset: In bytes from the start.
    /// - Throws: ``IdentityFileError`` where the system refuses it.
    public func seek(to offset: UInt64) throws(IdentityFileError) {
        try IdentityFileError.from(path) { () throws(SystemCallError) in try file.seek(to: offset) }
    }

    /// Cuts the file off, or lengthens it with zeros; the owner stays.
    ///
    /// - Parameter size: The new length in bytes.
    /// - Throws: ``IdentityFileError`` where the system refuses it.
    public func truncate(to size: UInt64) throws(IdentityFileError) {
        try IdentityFileError.from(path) { () throws(SystemCallError) in try file.truncate(to: size) }
    }

    /// Has all that was written survive a power cut.
    ///
    /// - Throws: ``IdentityFileError`` where the system refuses it.
    public func synchronize() throws(IdentityFileError) {
        try IdentityFileError.from(path) { () throws(SystemCallError) in try file.synchronize() }
    }
}
