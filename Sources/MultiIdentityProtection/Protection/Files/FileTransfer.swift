import MultiIdentity
import MultiIdentityFiles

/// Writes a file's content into a new file, in another form, in memory that does not grow with it.
struct FileTransfer: ~Copyable {
    private var cipher: MessageCipher?
    private let segmentSize: SegmentSize
    private let header: [UInt8]

    /// A new file that is protected, with a header.
    init(_ message: consuming DataProtection.NewMessage, in segmentSize: SegmentSize) {
        header = message.header
        cipher = message.cipher.take()
        self.segmentSize = segmentSize
    }

    /// A new file that is the content and nothing else.
    init() {
        header = []
        cipher = nil
        segmentSize = .kibibytes4
    }

    /// The number of bytes read at once: large enough for few calls, small enough for a processor's cache.
    private static let piece = 1 << 18

    /// Reads all of a content, and writes it.
    consuming func run(
        _ content: inout FileContent,
        into file: borrowing OpenFile
    ) throws(ProtectionError) {
        let piece = max(Self.piece, segmentSize.byteCount, content.minimumPiece)
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 4_096)
        let read = UnsafeMutableRawBufferPointer.allocate(
            byteCount: content.byteCount(ofPiece: piece),
            alignment: 4_096
        )
        let written = UnsafeMutableRawBufferPointer.allocate(
            byteCount: cipher == nil ? 0 : segmentSize.segmentCount(for: piece) * segmentSize.sealedByteCount,
            alignment: 4_096
        )
        defer {
            Cryptography.clear(text)
            text.deallocate()
            read.deallocate()
            written.deallocate()
        }
        try Self.write(header, to: file)
        repeat {
            let count = try content.read(into: text, through: read)
            let piece = UnsafeRawBufferPointer(text.part(0..<count))
            try write(piece, isEnd: content.remaining == 0, to: file, through: written)
        } while content.remaining > 0
        if cipher != nil { try Self.write(ProtectionFormat.end, to: file) }
    }

    private mutating func write(
        _ text: UnsafeRawBufferPointer,
        isEnd: Bool,
        to file: borrowing OpenFile,
        through sealed: UnsafeMutableRawBufferPointer
    ) throws(ProtectionError) {
        guard var cipher = cipher.take() else { return try Self.write(text, to: file) }
        let count = try cipher.sealAll(text, in: segmentSize, isEnd: isEnd, into: sealed)
        self.cipher = consume cipher
        try Self.write(UnsafeRawBufferPointer(sealed.part(0..<count)), to: file)
    }

    private static func write(_ bytes: [UInt8], to file: borrowing OpenFile) throws(ProtectionError) {
        try bytes.span.bytes.withUnsafeBytes { (bytes) throws(ProtectionError) in try write(bytes, to: file) }
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer,
        to file: borrowing OpenFile
    ) throws(ProtectionError) {
        guard !bytes.isEmpty else { return }
        try ProtectionError.from { () throws(SystemCallError) in try file.write(bytes) }
    }
}
