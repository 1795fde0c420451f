/// The layout of the bytes of a log of records; all numbers are little-endian.
///
/// | part | bytes | |
/// | --- | --- | --- |
/// | header | 8 | what the log is of, as `MIOWNERS` |
/// | | 4 | its version |
/// | | 4 | checksum of the 12 bytes before |
/// | each record | 4 | `A9 4D 49 52`, by which records are found again after damage |
/// | | 4 | length of the payload |
/// | | 4 | checksum of the payload |
/// | | 4 | checksum of the 12 bytes before |
/// | | | the payload |
package struct RecordLogFormat: Hashable, Sendable {
    /// The kind of log: 8 bytes.
    let magic: [UInt8]
    let version: UInt32

    /// Names a kind of log.
    /// - Parameters:
    ///   - magic: The kind of log, in exactly 8 ASCII characters.
    ///   - version: That of the records; a log of a later one is refused.
    package init(magic: StaticString, version: UInt32) {
        self.magic = magic.withUTF8Buffer { Array($0) }
        precondition(self.magic.count == 8, "A log is named by 8 bytes, such as \"MIOWNERS\".")
        self.version = version
    }

    /// A reason why a header is refused.
    package enum HeaderFault { case damaged, newer(UInt32) }

    package static let headerSize = 16
    static let frameSize = 16
    package static let maximumRecordLength = 1 << 20
    static let mark: [UInt8] = [0xA9, 0x4D, 0x49, 0x52]

    var header: [UInt8] {
        var writer = ByteWriter(.littleEndian)
        writer.add(magic)
        writer.add(version)
        writer.add(Checksum(of: writer.bytes).value)
        return writer.bytes
    }

    package func fault(ofHeader bytes: [UInt8]) -> HeaderFault? {
        let read = try? ByteReader.whole(bytes, .littleEndian) { (reader) throws(ByteError) in
            (
                magic: Array(try reader.bytes(8)), version: try reader.number(UInt32.self),
                sum: try reader.number(UInt32.self)
            )
        }
        guard let read, read.magic == magic, read.sum == Checksum(of: bytes[..<12]).value else { return .damaged }
        return read.version > version ? .newer(read.version) : nil
    }

    static func check(_ length: Int, _ path: String) throws(RecordLogError) {
        guard length <= maximumRecordLength else {
            throw RecordLogError(
                .recordTooLong,
                "\(path) cannot store a record of \(length) bytes; the maximum is \(maximumRecordLength). Split it."
            )
        }
    }

    /// Adds a record; `write` adds its payload without an allocation, since a log can have millions.
    /// - Returns: The length of the payload.
    @discardableResult
    static func addRecord(to writer: inout ByteWriter, _ write: (inout ByteWriter) -> Void) -> Int {
        let start = writer.bytes.count
        writer.add(mark)
        for _ in 0..<3 { writer.add(0 as UInt32) }
        write(&writer)
        let length = writer.bytes.count - start - frameSize
        writer.put(UInt32(truncatingIfNeeded: length), at: start + 4)
        writer.put(sum(of: writer.bytes[(start + frameSize)...]), at: start + 8)
        writer.put(sum(of: writer.bytes[start..<start + 12]), at: start + 12)
        return length
    }

    private static func sum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBytes { Checksum(of: $0).value }
    }

    /// Returns the length and the checksum of the payload that the bytes are a frame of, or `nil` where they are none.
    static func payload(framedBy bytes: ArraySlice<UInt8>) -> (length: Int, sum: UInt32)? {
        bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes, .littleEndian)
            guard let found = try? reader.bytes(mark.count), found.elementsEqual(mark),
                let length = try? reader.number(UInt32.self), let sum = try? reader.number(UInt32.self),
                let head = try? reader.number(UInt32.self), head == Checksum(of: bytes.prefix(12)).value,
                length <= maximumRecordLength
            else { return nil }
            return (Int(length), sum)
        }
    }
}
