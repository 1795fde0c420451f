/// The sectors that a power cut left out of one write, in whatever order the disk made it: all zeros.
package enum UnwrittenSectors {
    /// The bytes that a disk writes whole or not at all.
    package static let size: UInt64 = 512

    /// Tells whether some sector was left out of a write, or the part of a sector that belonged to it.
    ///
    /// - Parameters:
    ///   - bytes: What the file has of the write, which had something else than zeros for each sector.
    ///   - offset: Their place in the file.
    /// - Returns: Whether any of them has zeros alone.
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
