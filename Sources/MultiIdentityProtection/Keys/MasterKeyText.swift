import MultiIdentity

/// Reads the 32 bytes of a master key from text: hexadecimal or base64, with white space around it allowed.
enum MasterKeyText {
    /// - Throws: ``ProtectionError``, which contains nothing of the text but its length.
    static func key(from text: UnsafeRawBufferPointer, source: String) throws(ProtectionError) -> MasterKey {
        let digits = trimmed(text)
        guard !digits.isEmpty else { throw .noMasterKey(source, "it is empty") }
        var count: Int?
        let secret = SecretBytes(count: MasterKey.length) { memory in
            var taken = 0
            // Bytes beyond a key are only counted.
            let take = { (byte: UInt8) in
                if taken < memory.count { memory[taken] = byte }
                taken += 1
            }
            let isText = digits.count == 2 * MasterKey.length ? hexadecimal(digits, take) : base64(digits, take)
            count = isText ? taken : nil
        }
        guard let count else {
            throw .noMasterKey(source, "its \(digits.count) characters are neither hexadecimal nor base64")
        }
        guard count == MasterKey.length else {
            throw .noMasterKey(source, "its \(digits.count) characters encode \(count) bytes")
        }
        return MasterKey(secret)
    }

    private static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        let start = text.firstIndex { !blanks.contains($0) } ?? text.endIndex
        let end = text.lastIndex { !blanks.contains($0) }.map { $0 + 1 } ?? start
        return text.part(start..<end)
    }

    private static func hexadecimal(_ digits: UnsafeRawBufferPointer, _ take: (UInt8) -> Void) -> Bool {
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = Hexadecimal.byte(digits[index], digits[index + 1]) else { return false }
            take(byte)
        }
        return true
    }

    /// Of the standard alphabet or that for URLs, with its padding or without.
    private static func base64(_ digits: UnsafeRawBufferPointer, _ take: (UInt8) -> Void) -> Bool {
        let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding == 0 || padding <= 2 && digits.count % 4 == 0 else { return false }
        return Base64.decode(digits.part(0..<digits.count - padding), inURLs: false, take)
    }
}
