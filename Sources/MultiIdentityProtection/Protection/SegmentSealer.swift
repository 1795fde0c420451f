import MultiIdentityFiles

/// Encrypts a message that arrives in pieces; buffers at most one segment, since it must know the last one.
struct SegmentSealer: ~Copyable, Sendable {
    private var cipher: MessageCipher
    private let size: SegmentSize
    private var pending: [UInt8] = []

    init(_ cipher: consuming MessageCipher, in size: SegmentSize) {
        self.cipher = cipher
        self.size = size
    }

    mutating func push(_ bytes: UnsafeRawBufferPointer) throws(ProtectionError) -> [UInt8] {
        let total = pending.count + bytes.count
        let segments = total == 0 ? 0 : (total - 1) / size.byteCount
        guard segments > 0 else {
            pending += bytes
            return []
        }
        // The first segment is what was pending and what fills it up; the others are taken from where they are.
        var pending = self.pending
        self.pending = []
        let fill = pending.isEmpty ? 0 : size.byteCount - pending.count
        pending += bytes.part(0..<fill)
        let direct = segments * size.byteCount - pending.count
        let sealed = try [UInt8](capacity: segments * size.sealedByteCount) { (output) throws(ProtectionError) in
            var written = try pending.span.bytes.withUnsafeBytes { (pending) throws(ProtectionError) in
                try cipher.sealAll(pending, in: size, isEnd: false, into: output)
            }
            written += try cipher.sealAll(
                bytes.part(fill..<fill + direct),
                in: size,
                isEnd: false,
                into: output.part(written..<output.count)
            )
            return written
        }
        pending.removeAll(keepingCapacity: true)
        pending += bytes.part(fill + direct..<bytes.count)
        self.pending = pending
        return sealed
    }

    consuming func finish() throws(ProtectionError) -> [UInt8] {
        let end = ProtectionFormat.end
        let capacity = pending.count + AESGCM.tagLength + end.count
        let text = pending
        return try [UInt8](capacity: capacity) { (output) throws(ProtectionError) in
            let count = try text.span.bytes.withUnsafeBytes { (text) throws(ProtectionError) in
                try cipher.sealAll(text, in: size, isEnd: true, into: output)
            }
            output.part(count..<capacity).copyBytes(from: end)
            return capacity
        }
    }
}
