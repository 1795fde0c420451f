/// The bytes behind a log's last whole record, of which a crash may have left only some.
///
/// A record is added by one write behind all others, and acknowledged once that lasts. Cut short, it leaves the record's
/// beginning, or zeros in sectors that a power cut left unwritten; anything else was whole, and is damaged since.
enum RecordLogTail {
    /// Returns whether the end of a log is a record that was cut short, so that it was never acknowledged.
    static func isTorn(_ place: Range<UInt64>, of file: borrowing OpenFile) throws(SystemCallError) -> Bool {
        let frameSize = RecordLogFormat.frameSize
        guard place.count <= frameSize + RecordLogFormat.maximumRecordLength else { return false }
        let tail = try [UInt8](capacity: place.count) { (buffer) throws(SystemCallError) in
            try file.read(into: buffer, at: place.lowerBound)
        }
        if tail.count < frameSize { return true }
        if let frame = RecordLogFormat.payload(framedBy: tail[...]), tail.count != frameSize + frame.length {
            // Longer bytes are several records, and all but the last were acknowledged.
            return tail.count < frameSize + frame.length
        }
        return UnwrittenSectors.areIn(tail[...], at: place.lowerBound)
    }
}

/// The sectors that a power cut left out of one write, in whatever order the disk made it: all zeros.
package enum UnwrittenSectors {
    /// The bytes that a disk writes whole or not at all.
    package static let size: UInt64 = 512

    /// Returns whether a sector, or the part of one that belonged to a write, was not written.
    ///
    /// - Parameters:
    ///   - bytes: The file's bytes of the write, which had something other than zeros for each sector.
    ///   - offset: Their position in the file.
    /// - Returns: Whether any sector has only zeros.
    package static func areIn(_ bytes: ArraySlice<UInt8>, at offset: UInt64) -> Bool {
        var (rest, place) = (bytes, offset)
        while !rest.isEmpty {
            let sector = rest.prefix(Int(size - place % size))
            if sector.allSatisfy({ $0 == 0 }) { return true }
            rest = rest.dropFirst(sector.count)
            place += UInt64(sector.count)
        }
        return false
    }
}
