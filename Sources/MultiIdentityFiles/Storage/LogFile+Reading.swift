extension LogFile {
    /// Reads the records of a locked log, and cuts off an incomplete last one that a crash left.
    ///
    /// - Parameters:
    ///   - format: The format of the log.
    ///   - known: The end of an earlier reading, to read what was added since; `nil` for all.
    ///   - lost: Called where records were lost.
    ///   - record: Called with each complete record, in order.
    /// - Returns: The position of the next record, and what could not be read.
    /// - Throws: ``RecordLogError``; the log is unchanged.
    func read(
        _ format: RecordLogFormat,
        behind known: UInt64? = nil,
        lost: () -> Void,
        _ record: ([UInt8]) -> Void
    ) throws(RecordLogError) -> (end: UInt64, damage: [RecordLogDamage]) {
        let isHeaderDamaged = known == nil ? try isDamaged(format) : false
        var scan = known.map { RecordLogScan(from: $0) } ?? RecordLogScan()
        do throws(SystemCallError) {
            try scan.read(file, lost: lost, record)
            if isHeaderDamaged {
                let size = try file.status().size
                if scan.count == 0, size > UInt64(RecordLogFormat.headerSize) { throw .init("read", "", code: 0) }
                try file.write(format.header, at: 0)
            }
            let isTorn = scan.damage.last?.isTail == true
            if isTorn { try file.truncate(to: scan.end) }
            if isHeaderDamaged || isTorn { try file.synchronize() }
        } catch {
            throw error.code == 0 ? RecordLogError(damagedHeaderOf: file.path) : RecordLogError(error)
        }
        let header = RecordLogDamage(offset: 0, length: UInt64(RecordLogFormat.headerSize), isTail: false)
        return (scan.end, (isHeaderDamaged ? [header] : []) + scan.damage)
    }

    private func isDamaged(_ format: RecordLogFormat) throws(RecordLogError) -> Bool {
        let path = file.path
        switch format.fault(ofHeader: try RecordLogError.from { () throws(SystemCallError) in try header() }) {
        case nil: return false
        case .newer(let version):
            let message =
                "\(path) has version \(version), and this package supports version \(format.version). Update the package."
            throw RecordLogError(.newerVersion, message)
        case .damaged: return true
        }
    }
}
