/// Reads the 32 bytes of a master key from text: hexadecimal or base64, with white space around it allowed.
enum MasterKeyText {
    /// - Throws: ``IdentityKeyError``, which holds nothing of the text but its length.
    static func key(from text: UnsafeRawBufferPointer, source: String) throws(IdentityKeyError) -> MasterKey {
        let digits = trimmed(text)
        guard !digits.isEmpty else { throw .noMasterKey(source, "it is empty") }
        var count: Int?
        let secret = SecretBytes(count: MasterKey.length) { memory in
            var output = Output(memory: memory)
            let isText =
                digits.count == 2 * MasterKey.length ? hexadecimal(digits, &output) : base64(digits, &output)
            count = isText ? output.count : nil
        }
        guard let count else {
            throw .noMasterKey(source, "its \(digits.count) characters are neither hexadecimal nor base64")
        }
        guard count == MasterKey.length else {
            throw .noMasterKey(source, "its \(digits.count) characters stand for \(count) bytes")
        }
        return MasterKey(secret)
    }

    /// Room for a key; bytes beyond it are counted alone.
    private struct Output {
        let memory: UnsafeMutableRawBufferPointer
        var count = 0

        mutating func append(_ byte: UInt8) {
            if count < memory.count { memory[count] = byte }
            count += 1
        }
    }

    private static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        let start = text.firstIndex { !blanks.contains($0) } ?? text.endIndex
        let end = text.lastIndex { !blanks.contains($0) }.map { $0 + 1 } ?? start
        return text.part(start..<end)
    }

    private static func hexadecimal(_ digits: UnsafeRawBufferPointer, _ output: inout Output) -> Bool {
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = nibble(digits[index]), let low = nibble(digits[index + 1]) else { return false }
            output.append(high << 4 | low)
        }
        return true
    }

    private static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Of the standard alphabet or that for URLs, with its padding or without; bits that stand for nothing must be 0.
    private static func base64(_ digits: UnsafeRawBufferPointer, _ output: inout Output) -> Bool {
        let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let characters = digits.part(0..<digits.count - padding)
        guard padding == 0 || padding <= 2 && digits.count % 4 == 0, characters.count % 4 != 1 else { return false }
        var (bits, bitCount): (UInt32, Int) = (0, 0)
        for character in characters {
            guard let value = sextet(character) else { return false }
            bits = (bits << 6 | UInt32(value)) & 0xFFFF
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
        return bits & (1 << bitCount - 1) == 0
    }

    private static func sextet(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
