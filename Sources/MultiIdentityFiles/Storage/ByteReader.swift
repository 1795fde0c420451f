/// A reader of numbers, texts and bytes in sequence, which never reads beyond the end.
///
/// ```swift
/// try ByteReader.whole(bytes, .littleEndian) { (reader) throws(ByteError) in
///     (try reader.number(UInt16.self), try reader.text(behind: UInt32.self))
/// }
/// ```
package struct ByteReader {
    private let order: ByteOrder
    /// The bytes that are not taken yet.
    package private(set) var rest: UnsafeRawBufferPointer

    /// - Parameters:
    ///   - bytes: The bytes, which outlive the reader.
    ///   - order: The order of the bytes of numbers.
    package init(_ bytes: UnsafeRawBufferPointer, _ order: ByteOrder) {
        rest = bytes
        self.order = order
    }

    /// Reads bytes completely; throws if any are left.
    package static func whole<Value>(
        _ bytes: [UInt8],
        _ order: ByteOrder,
        _ read: (inout ByteReader) throws(ByteError) -> Value
    ) throws(ByteError) -> Value {
        try bytes.span.bytes.withUnsafeBytes { (bytes) throws(ByteError) in
            var reader = ByteReader(bytes, order)
            let value = try read(&reader)
            guard reader.rest.isEmpty else { throw .leftOver }
            return value
        }
    }

    /// Takes so many bytes.
    package mutating func bytes(_ count: Int) throws(ByteError) -> UnsafeRawBufferPointer {
        guard (0...rest.count).contains(count) else { throw .cutOff }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }

    /// Takes a number in the bytes that its type has.
    package mutating func number<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _: Number.Type = Number.self
    ) throws(ByteError) -> Number {
        let number = try bytes(Number.bitWidth / 8).loadUnaligned(as: Number.self)
        return order == .bigEndian ? Number(bigEndian: number) : Number(littleEndian: number)
    }

    /// Reads a number that means yes or no: 1 or 0.
    package mutating func flag<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _: Number.Type
    ) throws(ByteError) -> Bool {
        let number: Number = try number()
        guard number <= 1 else { throw .invalid }
        return number == 1
    }

    /// Takes a length, and the bytes that it counts.
    package mutating func bytes<Length: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        behind _: Length.Type
    ) throws(ByteError) -> UnsafeRawBufferPointer {
        let length: Length = try number()
        return try bytes(Int(clamping: length))
    }

    /// Takes the length of a text, and the text in UTF-8.
    package mutating func text<Length: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        behind length: Length.Type
    ) throws(ByteError) -> String {
        guard let text = String(validating: try bytes(behind: length), as: UTF8.self) else { throw .invalid }
        return text
    }

    /// Reads elements of at least one byte each, so that a forged count allocates no memory.
    package mutating func list<Element>(
        of count: some UnsignedInteger,
        _ element: (inout ByteReader) throws(ByteError) -> Element
    ) throws(ByteError) -> [Element] {
        guard count <= rest.count else { throw .cutOff }
        var list: [Element] = []
        for _ in 0..<Int(count) { list.append(try element(&self)) }
        return list
    }
}

/// The order of the bytes of a number.
package enum ByteOrder: Sendable { case littleEndian, bigEndian }

/// A reason why bytes were not written by a ``ByteWriter``.
package enum ByteError: Error, Hashable, Sendable {
    /// They end too early.
    case cutOff
    /// The bytes have no meaning.
    case invalid
    /// Something follows their end.
    case leftOver
}
