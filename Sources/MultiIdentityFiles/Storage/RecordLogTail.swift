/// The bytes behind a log's last whole record, of which a crash may have left only some.
///
/// A record is added by one write behind all others, and acknowledged once that lasts. Cut short, it leaves the record's
/// beginning, or zeros in sectors that a power cut left unwritten; anything else was whole, and is damaged since.
enum RecordLogTail {
    /// The bytes that a disk writes whole or not at all: zeros from such a border on, or up to the first one, were never
    /// written, since no record begins with one.
    static let sector: UInt64 = 512

    /// Returns whether the end of a log is a record that was cut short, so that it was never acknowledged.
    static func isTorn(_ place: Range<UInt64>, of file: borrowing OpenFile) throws(SystemCallError) -> Bool {
        let frameSize = RecordLogFormat.frameSize
        guard place.count <= frameSize + RecordLogFormat.maximumRecordLength else { return false }
        let tail = try [UInt8](capacity: place.count) { (buffer) throws(SystemCallError) in
            try file.read(into: buffer, at: place.lowerBound)
        }
        if tail.count < frameSize { return true }
        if let frame = RecordLogFormat.payload(framedBy: tail[...]), tail.count < frameSize + frame.length {
            return true
        }
        guard let first = tail.firstIndex(where: { $0 != 0 }), let last = tail.lastIndex(where: { $0 != 0 }) else {
            return true
        }
        let written = place.lowerBound + UInt64(first)..<place.lowerBound + UInt64(last) + 1
        return written.lowerBound / sector > place.lowerBound / sector
            || (written.upperBound + sector - 1) / sector * sector < place.upperBound
    }
}
