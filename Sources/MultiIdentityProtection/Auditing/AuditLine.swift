import CSystemCalls
import MultiIdentity
import MultiIdentityPolicy

/// A line of an audit file: JSON, with its number first and last the digest of all lines up to it.
struct AuditLine {
    /// The digest that the first line follows.
    static let start = [UInt8](repeating: 0, count: Cryptography.digestLength)
    /// The longest line that is written or read, in bytes.
    static let maximumLength = 1 << 17

    private static let beforeNumber = Array("{\"n\":".utf8)
    private static let beforeChain = Array(",\"chain\":\"".utf8)
    private static let afterChain = Array("\"}".utf8)

    /// The number of the line, from 1.
    let number: UInt64
    /// What the digest covers, besides the line before.
    let text: ArraySlice<UInt8>
    /// The digest that the line has.
    let chain: [UInt8]

    /// Parses a line without its end; `nil` if it is not an audit line.
    init?(_ bytes: ArraySlice<UInt8>) {
        let tail = Self.beforeChain.count + Cryptography.digestLength * 2 + Self.afterChain.count
        guard bytes.count > tail, bytes.starts(with: Self.beforeNumber), bytes.suffix(2).elementsEqual(Self.afterChain)
        else { return nil }
        let text = bytes.dropLast(tail)
        guard bytes[text.endIndex...].starts(with: Self.beforeChain) else { return nil }
        let digits = text.dropFirst(Self.beforeNumber.count).prefix { $0 != UInt8(ascii: ",") }
        guard let number = Self.number(String(decoding: digits, as: UTF8.self)),
            let chain = Self.digest(bytes.dropLast(2).suffix(Cryptography.digestLength * 2))
        else { return nil }
        (self.number, self.text, self.chain) = (number, text, chain)
    }

    /// Parses a number in its only valid spelling; the maximum is invalid, so that each number has a successor.
    static func number(_ text: String) -> UInt64? {
        UInt64(text).flatMap { "\($0)" == text && $0 < .max ? $0 : nil }
    }

    /// The number of the line that follows; `nil` if none can.
    static func number(after number: UInt64) -> UInt64? {
        // The type is spelled out: Swift 6.2 takes `.max - 1` for an `Int` here, and compares the two.
        number < UInt64.max - 1 ? number + 1 : nil
    }

    /// Parses a digest in the only valid spelling: an upper-case digit is a change too.
    static func digest(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard let bytes = Hexadecimal.bytes(of: Array(text)), bytes.count == Cryptography.digestLength,
            Hexadecimal.text(of: bytes).utf8.elementsEqual(text)
        else { return nil }
        return bytes
    }

    /// The digest of a line that follows another one.
    static func chain(_ text: some Sequence<UInt8>, after chain: [UInt8]) throws(ProtectionError) -> [UInt8] {
        try Cryptography.digest(of: chain + text)
    }

    /// A whole line, with its end, and its digest.
    static func made(
        _ event: AuditEvent,
        _ number: UInt64,
        after chain: [UInt8]
    ) throws(ProtectionError) -> (bytes: [UInt8], chain: [UInt8]) {
        var text = beforeNumber
        text += "\(number)".utf8
        add("at", JSONText.quoted(now, 64), to: &text)
        add("kind", JSONText.quoted(event.kind.description, 256), to: &text)
        add("identity", event.identity.map { JSONText.quoted($0.name, 4_096) }, to: &text)
        add("actor", event.actor.map { JSONText.quoted($0.name, 4_096) }, to: &text)
        if !event.acting.isEmpty {
            let names = event.acting.map { JSONText.quoted($0.name, 1_024) }
            add("act", Array("[".utf8) + names.joined(separator: ",".utf8) + Array("]".utf8), to: &text)
        }
        add("reason", JSONText.quoted(event.reason, 4_096), to: &text)
        if !event.provenance.isEmpty {
            let hops = event.provenance.prefix(16).map { JSONText.quoted($0, 512) }
            add("provenance", Array("[".utf8) + hops.joined(separator: ",".utf8) + Array("]".utf8), to: &text)
        }
        let chain = try Self.chain(text, after: chain)
        return (text + beforeChain + Hexadecimal.text(of: chain).utf8 + afterChain + "\n".utf8, chain)
    }

    private static func add(_ key: String, _ value: [UInt8]?, to text: inout [UInt8]) {
        guard let value else { return }
        text += ",\"\(key)\":".utf8
        text += value
    }

    /// The time of day, as RFC 3339 writes it.
    private static var now: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(sys_time_text_size)) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            sys_time_text(start)
            return String(cString: start)
        }
    }
}
