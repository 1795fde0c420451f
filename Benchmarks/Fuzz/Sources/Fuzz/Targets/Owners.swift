import MultiIdentity

@testable import MultiIdentityFiles

/// The first byte says what the rest is: an attribute, or an index log, unchanged or with valid checksums.
///
/// An attribute is an owner with these bytes, or a typed error. A log is refused with a typed error, or opened; a repair
/// does not change what it says, and a second repair finds nothing to do.
enum Owners {
    static func check(_ bytes: [UInt8]) -> Bool {
        guard let kind = bytes.first else { return false }
        let rest = Array(bytes.dropFirst())
        switch kind % 4 {
        case 0: attribute(rest)
        case 1:
            guard let first = rest.first else { return false }
            let name = Array(rest.dropFirst())
            attribute([1, first % 4] + little(sum([1, first % 4] + name)) + name)
        case 2: log(rest)
        default: log(sealed(rest))
        }
        return true
    }

    private static func attribute(_ bytes: [UInt8]) {
        if bytes.count > 4_000 { return }
        OwnerFolder.write(attribute: bytes)
        do throws(IdentityFileError) {
            guard let owner = try OwnerFolder.attributes.owner(of: "file") else { fatalError("it was never seen") }
            let (kind, name): (UInt8, [UInt8]) =
                switch owner {
                case .unset: (0, [])
                case .nobody: (1, [])
                case .identity(let identity): (2, Array(identity.name.utf8))
                }
            require([1, kind] + little(sum([1, kind] + name)) + name == bytes, "\(bytes) became \(owner)")
        } catch {
            require([.damagedOwner, .newerOwner].contains(error.code), "\(error)")
        }
    }

    private static func log(_ bytes: [UInt8]) {
        OwnerFolder.write(log: bytes)
        do throws(IdentityFileError) {
            let before = try repaired()
            let files = try OwnerFolder.index()
            let after = try files.owner(of: "file")
            require(after == before, "the owner is another's after a restart")
            let repair = try files.repair()
            require(repair.forgotten.isEmpty && repair.renamed.isEmpty, "the second repair found \(repair)")
            require(repair.failures.isEmpty, "the log is damaged after a repair: \(repair)")
        } catch {
            require([.invalidIndex, .damagedOwner].contains(error.code), "\(error)")
        }
    }

    /// The owner of the file, after the log was repaired and the index closed.
    private static func repaired() throws(IdentityFileError) -> FileOwner? {
        let files = try OwnerFolder.index()
        let before = try files.owner(of: "file")
        let repair = try files.repair()
        require(repair.fileCount == 1, "\(repair)")
        require((repair.unseen == ["file"]) == (before == nil), "\(repair)")
        let after = try files.owner(of: "file")
        require(after == before, "a repair changed the owner")
        return before
    }

    /// Returns a complete log with the input's records, each after its length; 0xFF at the start of a record represents
    /// a `put` of the existing file, and 0xFE a block that contains only it and belongs to nobody.
    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        let head = Array("MIOWNERS".utf8) + [2, 0, 0, 0]
        var log = head + little(sum(head))
        var rest = bytes[...]
        while let length = rest.popFirst() {
            var record = Array(rest.prefix(Int(length)))
            rest = rest.dropFirst(Int(length))
            if record.first == 0xFF { record = [1] + OwnerFolder.key + record.dropFirst() }
            if record.first == 0xFE {
                let names = Array(record.dropFirst())
                let owner = [1, 1] + little(sum([1, 1]))
                let key = OwnerFolder.key.prefix(16) + OwnerFolder.key.suffix(8)
                let isBirthKnown = UInt32(OwnerFolder.key[16])
                record = [7, 1, 0, 6, 0] + owner + little(1) + key + little(isBirthKnown)
                record += little(UInt32(names.count)) + names
            }
            let frame = [0xA9, 0x4D, 0x49, 0x52] + little(UInt32(record.count)) + little(sum(record))
            log += frame + little(sum(frame)) + record
        }
        return log
    }

    private static func little(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// CRC-32, bit by bit, independent of the package.
    private static func sum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
