import MultiIdentity
import MultiIdentityFiles

/// The content of a file, read in pieces and decrypted if it is encrypted.
struct FileContent: ~Copyable {
    private let file: OpenFile
    private var cipher: MessageCipher?
    private let segmentSize: SegmentSize
    private var position: UInt64
    private let end: UInt64

    /// Reads the content unchanged.
    init(asItIs file: borrowing OpenFile, size: UInt64) throws(ProtectionError) {
        self.init(try Self.duplicate(file), nil, .kibibytes4, from: 0, to: size)
    }

    /// The content as it was before it was protected.
    ///
    /// `size`: The size of the file; if it has changed, reading throws.
    init(
        of file: borrowing OpenFile,
        from start: FileStart,
        size: UInt64,
        with protection: DataProtection,
        expecting expected: Identity?
    ) throws(ProtectionError) {
        guard let header = start.header else {
            if let expected { throw .notProtected(expecting: expected) }
            try self.init(asItIs: file, size: size)
            return
        }
        let begin = UInt64(start.bytes.count)
        guard let encryption = header.encryption else {
            try protection.admitClaim(of: header.owner, expecting: expected)
            self.init(try Self.duplicate(file), nil, .kibibytes4, from: begin, to: size)
            return
        }
        let owner = protection.owner(of: header)
        if let expected, expected != owner { throw .otherOwner(owner, expecting: expected) }
        let cipher = try start.bytes.span.bytes.withUnsafeBytes { (bytes) throws(ProtectionError) in
            try protection.open(encryption, of: owner, header: bytes)
        }
        let end = try Self.end(of: file, from: begin, size: size)
        self.init(try Self.duplicate(file), cipher, encryption.segmentSize, from: begin, to: end)
    }

    private init(
        _ file: consuming OpenFile,
        _ cipher: consuming MessageCipher?,
        _ segmentSize: SegmentSize,
        from position: UInt64,
        to end: UInt64
    ) {
        self.file = file
        self.cipher = cipher
        self.segmentSize = segmentSize
        self.position = position
        self.end = end
    }

    /// The number of bytes of the file still to be read.
    var remaining: UInt64 { end - position }

    /// The least size in bytes of a buffer that a piece is read into; greater powers of two do as well.
    var minimumPiece: Int { segmentSize.byteCount }

    /// Returns the most bytes of the file that a piece of the content takes.
    func byteCount(ofPiece count: Int) -> Int {
        cipher == nil ? 0 : count / segmentSize.byteCount * segmentSize.sealedByteCount
    }

    /// Reads the next piece: as much as fits, or all that is left.
    ///
    /// `sealed`: Space for what is read before it is decrypted, as ``byteCount(ofPiece:)`` says.
    mutating func read(
        into text: UnsafeMutableRawBufferPointer,
        through sealed: UnsafeMutableRawBufferPointer
    ) throws(ProtectionError) -> Int {
        let memory = cipher == nil ? text : sealed
        let count = Int(min(UInt64(memory.count), remaining))
        let found = try ProtectionError.from { () throws(SystemCallError) in
            try file.read(into: memory.part(0..<count), at: position)
        }
        guard found == count else { throw .changed(file.path) }
        position += UInt64(count)
        guard var cipher = cipher.take() else { return count }
        let read = try cipher.openAll(
            UnsafeRawBufferPointer(sealed.part(0..<count)),
            in: segmentSize,
            isEnd: remaining == 0,
            into: text
        )
        self.cipher = consume cipher
        return read
    }

    /// Returns the end of the last segment, which is before the required end mark.
    private static func end(
        of file: borrowing OpenFile,
        from start: UInt64,
        size: UInt64
    ) throws(ProtectionError) -> UInt64 {
        let mark = ProtectionFormat.end
        guard size >= start + UInt64(AESGCM.tagLength + mark.count) else { throw .cutOff }
        let end = size - UInt64(mark.count)
        let found = try ProtectionError.from { () throws(SystemCallError) in
            try [UInt8](capacity: mark.count) { (memory) throws(SystemCallError) in try file.read(into: memory, at: end)
            }
        }
        guard found == mark else { throw .cutOff }
        return end
    }

    private static func duplicate(_ file: borrowing OpenFile) throws(ProtectionError) -> OpenFile {
        try ProtectionError.from { () throws(SystemCallError) in try file.duplicate() }
    }
}
