import MultiIdentity

/// One member of a baggage header as written: `key=value;property;property=value`.
struct BaggageMember {
    /// Without white space at its ends.
    let text: ArraySlice<UInt8>
    /// The bytes before the first `=` or `;`.
    let key: ArraySlice<UInt8>
    /// The bytes after the `=`; `nil` if there is none before the first `;`.
    private let rest: ArraySlice<UInt8>?

    private init(_ text: ArraySlice<UInt8>) {
        self.text = text
        let end = text.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ";") } ?? text.endIndex
        key = text[..<end].trimmed
        rest = end < text.endIndex && text[end] == UInt8(ascii: "=") ? text[(end + 1)...] : nil
    }

    /// The rest, split at each `;`: the value, and then the properties; `nil` if there is no `=`.
    var parts: [ArraySlice<UInt8>]? {
        rest?.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(\.trimmed)
    }

    /// The likeness of a member's key to ours.
    enum Likeness {
        case ours
        /// Ours except for case or encoding: some readers take it for ours.
        case almostOurs
        case anothers
    }

    func likeness(to member: String) -> Likeness {
        if key.elementsEqual(member.utf8) { return .ours }
        // A key is a token and needs no decoding. Some readers decode it anyway, including + as a space.
        let isEncoded = key.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
        let key = isEncoded ? BaggageText.decodedWhereItCanBe(key)[...].trimmed : key
        func small(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
        return key.lazy.map(small).elementsEqual(member.utf8.lazy.map(small)) ? .almostOurs : .anothers
    }

    /// The members of all values of one header; none of them is empty.
    ///
    /// Other members count as well: a header that exceeds its limits, or that intermediaries could read differently, is
    /// refused as a whole.
    static func all(in values: [String]) throws(IdentityCarrierError) -> [BaggageMember] {
        // With the commas that would join them, so that empty ones count as well.
        try checkLength(values.reduce(max(0, values.count - 1)) { $0 + $1.utf8.count }, values.first ?? "")
        let members = try split(values)
        try checkCount(members.count)
        return members
    }

    /// The other members that are kept beside `ours` bytes of this package's member: the first ones that fit.
    ///
    /// So another party's header never stops a call. Nothing is kept of a header with a forbidden byte.
    static func others(than member: String, in values: [String], besides ours: Int) -> [BaggageMember] {
        guard let all = try? split(values) else { return [] }
        // Each needs a comma, except the first one if there is no member of ours.
        var room = IdentityBaggage.maximumLength + (ours == 0 ? 1 : -ours)
        let count = IdentityBaggage.maximumMemberCount - (ours == 0 ? 0 : 1)
        return all.filter { $0.likeness(to: member) == .anothers }.prefix(count).prefix {
            room -= $0.text.count + 1
            return room >= 0
        }
    }

    private static func split(_ values: [String]) throws(IdentityCarrierError) -> [BaggageMember] {
        var members: [BaggageMember] = []
        for value in values {
            let bytes = Array(value.utf8)
            if let offset = bytes.firstIndex(where: { !BaggageText.isAllowed($0) }) {
                throw IdentityCarrierError(
                    .forbiddenCharacter,
                    """
                    The header "\(EscapedText(bytes: bytes))" has the byte \(bytes[offset]) at offset \(offset); allowed are \
                    visible ASCII, spaces and tabs. Have the sender percent-encode it.
                    """
                )
            }
            members += bytes.split(separator: UInt8(ascii: ",")).map(\.trimmed).filter { !$0.isEmpty }
                .map(BaggageMember.init)
        }
        return members
    }

    static func checkLength(_ length: Int, _ start: String) throws(IdentityCarrierError) {
        guard length <= IdentityBaggage.maximumLength else {
            throw IdentityCarrierError(
                .tooLong,
                """
                The header that starts with "\(EscapedText(start))" has \(length) bytes; the maximum is \
                \(IdentityBaggage.maximumLength). Send less baggage.
                """
            )
        }
    }

    static func checkCount(_ count: Int) throws(IdentityCarrierError) {
        guard count <= IdentityBaggage.maximumMemberCount else {
            throw IdentityCarrierError(
                .tooManyMembers,
                """
                The header has \(count) members; the maximum is \(IdentityBaggage.maximumMemberCount). Send less baggage.
                """
            )
        }
    }
}
