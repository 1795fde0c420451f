/// A writer of numbers, texts and bytes in sequence, for ``ByteReader``.
package struct ByteWriter: Sendable {
    private let order: ByteOrder
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []

    /// `order`: The order of the bytes of numbers.
    package init(_ order: ByteOrder) { self.order = order }

    package mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

    /// Removes all bytes but the first ones, and keeps the memory.
    package mutating func shorten(to count: Int) { bytes.removeLast(bytes.count - count) }

    package mutating func add(_ bytes: some Sequence<UInt8>) { self.bytes.append(contentsOf: bytes) }

    /// Adds a number in the bytes that its type has.
    package mutating func add(_ number: some FixedWidthInteger & UnsignedInteger) {
        withUnsafeBytes(of: ordered(number)) { bytes.append(contentsOf: $0) }
    }

    /// Adds the length of a text, as a number of a type that is large enough, and the text in UTF-8.
    package mutating func add<Length: FixedWidthInteger & UnsignedInteger>(_ text: String, behind _: Length.Type) {
        add(Length(text.utf8.count))
        add(text.utf8)
    }

    /// Overwrites a number of the same length, such as one that is known only once what follows is written.
    package mutating func put(_ number: some FixedWidthInteger & UnsignedInteger, at index: Int) {
        withUnsafeBytes(of: ordered(number)) { number in
            bytes.withUnsafeMutableBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: bytes[index..<index + number.count]).copyMemory(from: number)
            }
        }
    }

    private func ordered<Number: FixedWidthInteger>(_ number: Number) -> Number {
        order == .bigEndian ? number.bigEndian : number.littleEndian
    }
}
