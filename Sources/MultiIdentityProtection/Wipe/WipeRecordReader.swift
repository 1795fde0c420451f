import MultiIdentityFiles

/// Reads what ``WipeRecordWriter`` wrote; whatever cannot be read is `nil`.
struct WipeRecordReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() -> UInt64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return UInt64(littleEndian: rest)
    }

    mutating func integer() -> Int? { number().flatMap { Int(exactly: Int64(bitPattern: $0)) } }

    mutating func isSo() -> Bool? {
        switch number() {
        case 0: false
        case 1: true
        default: nil
        }
    }

    mutating func text() -> String? {
        guard let count = number(), count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return String(validating: rest.prefix(Int(count)), as: UTF8.self)
    }

    mutating func choice<Choice: RawRepresentable<String>>(_ type: Choice.Type) -> Choice? {
        text().flatMap { Choice(rawValue: $0) }
    }

    mutating func list<Element>(_ each: (inout WipeRecordReader) -> Element?) -> [Element]? {
        // Each element takes a byte at least: a length that was made up asks for no memory.
        guard let count = number(), count <= UInt64(rest.count) else { return nil }
        var list: [Element] = []
        for _ in 0..<count {
            guard let element = each(&self) else { return nil }
            list.append(element)
        }
        return list
    }
}
