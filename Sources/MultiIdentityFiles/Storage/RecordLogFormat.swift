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
        precondition(self.magic.count == 8, "A log is named by 8 bytes, as \"MIOWNERS\".")
        self.version = version
    }

    /// A reason why a header is refused.
    package enum HeaderFault { case damaged, newer(UInt32) }

    package static let headerSize = 16
    static let frameSize = 16
    package static let maximumRecordLength = 1 << 20
    static let mark: [UInt8] = [0xA9, 0x4D, 0x49, 0x52]

    var header: [UInt8] {
        var bytes = magic
        version.appendLittleEndian(to: &bytes)
        Checksum(of: bytes).value.appendLittleEndian(to: &bytes)
        return bytes
    }

    package func fault(ofHeader bytes: [UInt8]) -> HeaderFault? {
        guard bytes.count == Self.headerSize, bytes.starts(with: magic),
            Checksum(of: bytes[0..<12]).value == UInt32(littleEndian: bytes[12...])
        else { return .damaged }
        let version = UInt32(littleEndian: bytes[8...])
        return version > self.version ? .newer(version) : nil
    }

    static func check(_ length: Int, _ path: String) throws(RecordLogError) {
        guard length <= maximumRecordLength else {
            throw RecordLogError(
                .recordTooLong,
                "\(path) takes no record of \(length) bytes, only of \(maximumRecordLength). Split it."
            )
        }
    }

    /// Appends a record; `write` appends its payload, without memory of its own, since a log can have millions.
    /// - Returns: The length of the payload.
    @discardableResult
    static func appendFramed(to bytes: inout [UInt8], _ write: (inout [UInt8]) -> Void) -> Int {
        let start = bytes.count
        bytes += mark
        for _ in mark.count..<frameSize { bytes.append(0) }
        write(&bytes)
        let length = bytes.count - start - frameSize
        bytes.withUnsafeMutableBytes { bytes in
            let frame = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
            let payload = UnsafeRawBufferPointer(rebasing: frame[frameSize...])
            frame.storeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian, toByteOffset: 4, as: UInt32.self)
            frame.storeBytes(of: Checksum(of: payload).value.littleEndian, toByteOffset: 8, as: UInt32.self)
            let head = Checksum(of: UnsafeRawBufferPointer(rebasing: frame[..<12])).value
            frame.storeBytes(of: head.littleEndian, toByteOffset: 12, as: UInt32.self)
        }
        return length
    }

    /// Returns the length and the checksum of the payload that the bytes are a frame of, or `nil` where they are none.
    static func payload(framedBy bytes: ArraySlice<UInt8>) -> (length: Int, sum: UInt32)? {
        guard bytes.count >= frameSize, bytes.starts(with: mark) else { return nil }
        let start = bytes.startIndex
        guard Checksum(of: bytes[start..<start + 12]).value == UInt32(littleEndian: bytes[(start + 12)...]) else {
            return nil
        }
        let length = Int(UInt32(littleEndian: bytes[(start + 4)...]))
        guard length <= maximumRecordLength else { return nil }
        return (length, UInt32(littleEndian: bytes[(start + 8)...]))
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// Appends its bytes, the lowest first.
    package func appendLittleEndian(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// From the first bytes of a slice, of which there are enough.
    package init(littleEndian bytes: ArraySlice<UInt8>) {
        self = bytes.prefix(Self.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Self($1) }
    }
}
