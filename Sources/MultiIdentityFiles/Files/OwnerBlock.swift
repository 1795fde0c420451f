internal import MultiIdentity

/// The owners and names of some files, in the order of their keys, as one record of the log, searched in place.
///
/// Entries are decoded on demand, so that opening a million files takes little more than reading the bytes and their
/// checksums. All numbers are little-endian:
///
/// | bytes | |
/// | --- | --- |
/// | 1 | 7 |
/// | 2 | the number of owners |
/// | 2 and so many | each owner as an attribute has it |
/// | 4 | the number of files |
/// | 8, 8, 8 | of each file: device, inode, time of birth (0 where it is unknown) |
/// | 4 | 1 where the time of birth is known, and 2 where the owner is uncertain, and 4 times the owner's number |
/// | 4 | the end of its names in the bytes below |
/// | | the names in UTF-8, a NUL between those of one file |
struct OwnerBlock: Sendable {
    static let kind: UInt8 = 7
    fileprivate static let rowSize = 32

    private let bytes: [UInt8]
    private let owners: [FileOwner]
    private let rowsStart: Int
    /// The number of files.
    let count: Int
    /// The number of files with an uncertain owner.
    let uncertainCount: Int

    /// One that was just written.
    fileprivate init(_ bytes: [UInt8], _ owners: [FileOwner], rowsStart: Int, count: Int, uncertainCount: Int) {
        (self.bytes, self.owners, self.rowsStart) = (bytes, owners, rowsStart)
        (self.count, self.uncertainCount) = (count, uncertainCount)
    }

    /// Checks a record, so that all later lookups stay within it.
    ///
    /// Its names are checked at their first use.
    init(_ bytes: [UInt8], _ read: inout OwnersRead) throws(ByteError) {
        self.bytes = bytes
        (owners, rowsStart, count, uncertainCount) = try bytes.span.bytes.withUnsafeBytes {
            (all) throws(ByteError) in
            var reader = ByteReader(all, .littleEndian)
            guard try reader.number(UInt8.self) == Self.kind else { throw .invalid }
            let owners = try reader.list(of: try reader.number(UInt16.self)) { (reader) throws(ByteError) in
                try read.owner(try reader.bytes(behind: UInt16.self))
            }
            let count = Int(try reader.number(UInt32.self))
            let start = all.count - reader.rest.count
            let rows = try reader.bytes(count * Self.rowSize)
            let uncertain = try Self.check(rows, owners.count, nameBytes: reader.rest.count)
            return (owners, start, count, uncertain)
        }
        if count == 0 { throw .invalid }
    }

    /// - Returns: The number of files with an uncertain owner.
    private static func check(
        _ rows: UnsafeRawBufferPointer,
        _ ownerCount: Int,
        nameBytes: Int
    ) throws(ByteError) -> Int {
        var (last, end, uncertain): (FileKey?, Int, Int) = (nil, 0, 0)
        for number in 0..<rows.count / rowSize {
            let row = Row(rows, number * rowSize)
            if let last, !(last < row.key) { throw .invalid }
            guard row.owner < ownerCount, row.end >= end, row.end <= nameBytes else { throw .invalid }
            (last, end) = (row.key, row.end)
            if row.isUncertain { uncertain += 1 }
        }
        guard end == nameBytes else { throw .invalid }
        return uncertain
    }

    /// The fixed part of what is known of a file.
    private struct Row {
        let key: FileKey
        let owner: Int
        let isUncertain: Bool
        let end: Int

        init(_ bytes: UnsafeRawBufferPointer, _ offset: Int) {
            func number<Number: FixedWidthInteger & BitwiseCopyable>(_ place: Int, _: Number.Type) -> Number {
                Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + place, as: Number.self))
            }
            let flags = number(24, UInt32.self)
            key = FileKey(
                device: number(0, UInt64.self),
                inode: number(8, UInt64.self),
                birthTime: flags & 1 == 1 ? number(16, Int64.self) : nil
            )
            (owner, isUncertain, end) = (Int(flags >> 2), flags & 2 == 2, Int(number(28, UInt32.self)))
        }
    }

    // The checks at the beginning hold for as long as the block lives: each row lies within the bytes.
    private func row(_ number: Int) -> Row {
        bytes.span.bytes.withUnsafeBytes { Row($0, rowsStart + number * Self.rowSize) }
    }

    func key(_ row: Int) -> FileKey { self.row(row).key }

    var first: FileKey { key(0) }
    var last: FileKey { key(count - 1) }

    /// The place of a file.
    func find(_ key: FileKey) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            let found = self.key(middle)
            if found == key { return middle }
            if found < key { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The owner of a file, without its names.
    func owner(_ row: Int) -> (owner: FileOwner, isUncertain: Bool) {
        let row = self.row(row)
        return (owners[row.owner], row.isUncertain)
    }

    func entry(_ row: Int) -> OwnerTable.Entry {
        let fixed = self.row(row)
        let names = names(row) { names in
            // Not a path. The checksum is right, so it is not damaged, but this package did not write it.
            names.split(separator: 0).compactMap { name in
                String(validating: name, as: UTF8.self).flatMap { try? RootedPath($0) }
            }
        }
        return OwnerTable.Entry(owner: owners[fixed.owner], names: names, isUncertain: fixed.isUncertain)
    }

    private func names<Value>(_ number: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        let start = rowsStart + count * Self.rowSize
        let range = start + (number == 0 ? 0 : row(number - 1).end)..<start + row(number).end
        return bytes.span.bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// The files that are an owner's for certain.
    func rows(of owner: FileOwner) -> [Int] {
        guard let number = owners.firstIndex(of: owner) else { return [] }
        return (0..<count).filter { each in
            let row = self.row(each)
            return row.owner == number && !row.isUncertain
        }
    }

    /// The files that have a name which is a path or below it.
    func rows(below path: [UInt8]) -> [Int] {
        (0..<count).filter { row in
            names(row) { names in
                names.split(separator: 0).contains { name in
                    name.starts(with: path)
                        && (name.count == path.count || name[name.startIndex + path.count] == UInt8(ascii: "/"))
                }
            }
        }
    }
}

/// A writer of ``OwnerBlock``s.
struct OwnerBlockWriter {
    /// As much as one flipped byte can take with it; a disk writes half of that at once.
    private static let size = 8_192

    private var owners: [FileOwner] = []
    private var numbers: [FileOwner: UInt32] = [:]
    private var ownerBytes = ByteWriter(.littleEndian)
    private var rows = ByteWriter(.littleEndian)
    private var names = ByteWriter(.littleEndian)
    private var uncertainCount = 0

    /// Returns whether a file has fewer names than fit no record.
    static func takes(_ entry: OwnerTable.Entry) -> Bool {
        entry.names.count <= 1
            || entry.names.reduce(0) { $0 + $1.text.utf8.count } < RecordLogFormat.maximumRecordLength / 2
    }

    /// Adds a file; its key comes behind those before.
    mutating func add(_ key: FileKey, _ entry: OwnerTable.Entry) {
        let owner = number(of: entry.owner)
        for (number, name) in entry.names.enumerated() {
            if number > 0 { names.add(0 as UInt8) }
            names.add(name.text.utf8)
        }
        rows.add(key.device)
        rows.add(key.inode)
        rows.add(UInt64(bitPattern: key.birthTime ?? 0))
        rows.add(owner << 2 | (entry.isUncertain ? 2 : 0) | (key.birthTime == nil ? 0 : 1))
        rows.add(UInt32(names.bytes.count))
        if entry.isUncertain { uncertainCount += 1 }
    }

    private mutating func number(of owner: FileOwner) -> UInt32 {
        if let number = numbers[owner] { return number }
        let number = UInt32(owners.count)
        owners.append(owner)
        numbers[owner] = number
        ownerBytes.add(UInt16(owner.byteCount))
        owner.write(to: &ownerBytes)
        return number
    }

    var isFull: Bool { ownerBytes.bytes.count + rows.bytes.count + names.bytes.count >= Self.size }

    /// Takes what was added, and the bytes of its record; `nil` where that is nothing.
    mutating func take() -> (block: OwnerBlock, bytes: [UInt8])? {
        let count = rows.bytes.count / OwnerBlock.rowSize
        if count == 0 { return nil }
        var writer = ByteWriter(.littleEndian)
        writer.add(OwnerBlock.kind)
        writer.add(UInt16(owners.count))
        writer.add(ownerBytes.bytes)
        writer.add(UInt32(count))
        let start = writer.bytes.count
        writer.add(rows.bytes)
        writer.add(names.bytes)
        let bytes = writer.bytes
        let block = OwnerBlock(bytes, owners, rowsStart: start, count: count, uncertainCount: uncertainCount)
        self = OwnerBlockWriter()
        return (block, bytes)
    }
}
