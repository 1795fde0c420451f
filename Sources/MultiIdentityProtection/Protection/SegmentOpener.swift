import MultiIdentityFiles

/// Decrypts a message that arrives in pieces; its output is authenticated, and never includes the last segment early.
struct SegmentOpener: ~Copyable, Sendable {
    private var cipher: MessageCipher
    private let size: SegmentSize
    private var pending: [UInt8] = []

    init(_ cipher: consuming MessageCipher, in size: SegmentSize) {
        self.cipher = cipher
        self.size = size
    }

    mutating func push(_ bytes: UnsafeRawBufferPointer) throws(ProtectionError) -> [UInt8] {
        let (sealed, end) = (size.sealedByteCount, ProtectionFormat.end.count)
        let total = pending.count + bytes.count
        // A segment is not the last one if more than the end mark follows it.
        let segments = total <= end ? 0 : (total - end - 1) / sealed
        guard segments > 0 else {
            pending += bytes
            return []
        }
        var (read, opened) = (0, 0)
        var pending = self.pending
        self.pending = []
        let text = try [UInt8](capacity: segments * size.byteCount) { (output) throws(ProtectionError) in
            var written = 0
            // Twice at most: what is pending can be longer than a segment, by the end's mark.
            while opened < segments, !pending.isEmpty {
                let fill = max(0, sealed - pending.count)
                pending += bytes.part(read..<read + fill)
                read += fill
                written += try pending.span.bytes.withUnsafeBytes { (pending) throws(ProtectionError) in
                    try cipher.openAll(
                        pending.part(0..<sealed),
                        in: size,
                        isEnd: false,
                        into: output.part(written..<output.count)
                    )
                }
                pending.removeFirst(sealed)
                opened += 1
            }
            let direct = (segments - opened) * sealed
            written += try cipher.openAll(
                bytes.part(read..<read + direct),
                in: size,
                isEnd: false,
                into: output.part(written..<output.count)
            )
            read += direct
            return written
        }
        pending += bytes.part(read..<bytes.count)
        self.pending = pending
        return text
    }

    consuming func finish() throws(ProtectionError) -> [UInt8] {
        let end = ProtectionFormat.end
        let rest = pending
        guard rest.count >= AESGCM.tagLength + end.count, rest.suffix(end.count).elementsEqual(end) else {
            throw .cutOff
        }
        return try [UInt8](capacity: rest.count) { (output) throws(ProtectionError) in
            try rest.span.bytes.withUnsafeBytes { (rest) throws(ProtectionError) in
                try cipher.openAll(rest.part(0..<rest.count - end.count), in: size, isEnd: true, into: output)
            }
        }
    }
}
