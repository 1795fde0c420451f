/// The result of reading a log of records from its start to its end.
///
/// Damage does not end the scan: the next record is searched byte by byte, by its mark and its checksums.
package struct RecordLogScan: Sendable {
    /// The end of the last whole record, or of damage behind it; what is behind that is a torn tail.
    package private(set) var end: UInt64
    package private(set) var damage: [RecordLogDamage] = []
    package private(set) var count = 0

    /// Bytes that were read and not yet understood, and where they begin in the file.
    private var pending: ArraySlice<UInt8> = []
    private var offset: UInt64
    /// The start of bytes that are no record.
    private var damageStart: UInt64?

    /// The bytes that may still be summed in vain: a whole record's at first, and one more for each byte passed.
    ///
    /// Without it, damage that is frames within frames would be summed once for each of them.
    private var budget = RecordLogFormat.maximumRecordLength
    /// The length up to which a payload is summed whatever the budget, so that most records behind such damage are found.
    private static let alwaysSummed = 512
    private static let pieceSize = 1 << 18

    /// Begins behind the header, or where an earlier reading ended.
    package init(from end: UInt64 = UInt64(RecordLogFormat.headerSize)) { (self.end, offset) = (end, end) }

    /// Reads a whole log after its header was checked, and calls `record` with each complete record, in order, and
    /// `lost` where records were lost.
    package mutating func read(
        _ file: borrowing OpenFile,
        lost: () -> Void = {},
        _ record: ([UInt8]) -> Void
    ) throws(SystemCallError) {
        var position = offset
        var isAtEnd = false
        while !isAtEnd {
            let piece = try [UInt8](capacity: Self.pieceSize) { (buffer) throws(SystemCallError) in
                try file.read(into: buffer, at: position)
            }
            isAtEnd = piece.count < Self.pieceSize
            position += UInt64(piece.count)
            pending = ArraySlice(Array(pending) + piece)
            while take(record, lost, isAtEnd: isAtEnd) {}
        }
        if let start = damageStart ?? (pending.isEmpty ? nil : offset) {
            let isTorn = try RecordLogTail.isTorn(start..<position, of: file)
            damage.append(RecordLogDamage(offset: start, length: position - start, isTail: isTorn))
            if !isTorn {
                end = position
                lost()
            }
        }
    }

    /// Reads one record, or skips one byte of damage.
    /// - Returns: Whether there was enough to decide.
    private mutating func take(_ record: ([UInt8]) -> Void, _ lost: () -> Void, isAtEnd: Bool) -> Bool {
        guard pending.count >= RecordLogFormat.frameSize else { return skipAtEnd(isAtEnd) }
        guard let frame = RecordLogFormat.payload(framedBy: pending) else { return skip() }
        guard frame.length <= max(budget, Self.alwaysSummed) else { return skip() }
        let size = RecordLogFormat.frameSize + frame.length
        guard pending.count >= size else { return isAtEnd ? skip() : false }
        let payload = pending.dropFirst(RecordLogFormat.frameSize).prefix(frame.length)
        guard Checksum(of: payload).value == frame.sum else {
            budget = max(0, budget - frame.length)
            return skip()
        }
        if let start = damageStart {
            damage.append(RecordLogDamage(offset: start, length: offset - start, isTail: false))
            damageStart = nil
            lost()
        }
        record(Array(payload))
        count += 1
        advance(by: size)
        end = offset
        return true
    }

    /// Skips to where the next record can begin.
    private mutating func skip() -> Bool {
        damageStart = damageStart ?? offset
        let next = pending.dropFirst().firstIndex(of: RecordLogFormat.mark[0]) ?? pending.endIndex
        advance(by: next - pending.startIndex)
        return true
    }

    private mutating func skipAtEnd(_ isAtEnd: Bool) -> Bool {
        guard isAtEnd, !pending.isEmpty else { return false }
        return skip()
    }

    private mutating func advance(by count: Int) {
        pending = pending.dropFirst(count)
        offset += UInt64(count)
        budget = min(budget + count, RecordLogFormat.maximumRecordLength)
    }
}

/// A part of a log without a record: its position and its length.
package struct RecordLogDamage: Hashable, Sendable {
    /// In bytes from the file's start.
    package let offset: UInt64
    package let length: UInt64
    /// Indicates whether it is the end of the log and a write that a crash cut short: no loss, and it was cut off.
    package let isTail: Bool

    package init(offset: UInt64, length: UInt64, isTail: Bool) {
        self.offset = offset
        self.length = length
        self.isTail = isTail
    }
}
