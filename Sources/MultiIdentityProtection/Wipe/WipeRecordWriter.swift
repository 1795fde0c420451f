import MultiIdentityFiles

/// Writes a record of a journal: numbers of 8 bytes, little-endian, and texts behind their length.
struct WipeRecordWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ number: UInt64) { number.appendLittleEndian(to: &bytes) }
    mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }
    mutating func add(_ isSo: Bool) { add(isSo ? 1 : 0 as UInt64) }

    mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        bytes += Array(text.utf8)
    }

    mutating func add<Element>(_ list: [Element], each: (inout WipeRecordWriter, Element) -> Void) {
        add(UInt64(list.count))
        for element in list { each(&self, element) }
    }
}
