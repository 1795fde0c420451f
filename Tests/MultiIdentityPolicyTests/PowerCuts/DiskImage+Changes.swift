import Foundation

@testable import MultiIdentityFiles

extension DiskImage {
    /// Returns the changes that led from this image to another one.
    ///
    /// A file that is only in the other image was created empty. Written data comes in two parts: if they are in different sectors, a
    /// power cut can keep either part; within one sector, it can keep the beginning.
    func changes(to other: DiskImage) -> [DiskChange] {
        var changes: [DiskChange] = []
        for (inode, file) in other.files.sorted(by: { $0.key < $1.key }) {
            changes += Self.changes(from: files[inode] ?? File(permissions: file.permissions), to: file, of: inode)
        }
        var namings: [DiskChange.Naming] = []
        for (folder, names) in other.folders {
            let before = folders[folder] ?? [:]
            for name in Set(before.keys).union(names.keys) where before[name] != names[name] {
                namings.append(DiskChange.Naming(folder: folder, name: name, inode: names[name]))
            }
        }
        if !namings.isEmpty { changes.append(.names(namings)) }
        return changes
    }

    private static func changes(from old: File, to new: File, of inode: UInt64) -> [DiskChange] {
        var changes: [DiskChange] = []
        if old.content != new.content {
            let start = commonPrefix(old.content, new.content)
            if new.content.count < old.content.count { changes.append(.cut(inode, to: new.content.count)) }
            let (middle, end) = (start + (new.content.count - start) / 2, new.content.count)
            let sector = Int(UnwrittenSectors.size)
            let border = max(middle / sector, start / sector + 1) * sector
            let parts = border < end ? [start..<border, border..<end] : [start..<middle, start..<end]
            for part in parts where !part.isEmpty {
                changes.append(.write(inode, at: part.lowerBound, new.content.subdata(in: part)))
            }
        }
        if old.owner != new.owner { changes.append(.owner(inode, new.owner)) }
        if old.permissions != new.permissions { changes.append(.permissions(inode, new.permissions)) }
        return changes
    }

    /// Returns the number of bytes that both have in common at the beginning.
    private static func commonPrefix(_ one: Data, _ other: Data) -> Int {
        let count = min(one.count, other.count)
        var start = 0
        // Comparing is fast; iterating over bytes is not.
        for step in [4_096, 64, 1] {
            while start + step <= count, one[start..<start + step] == other[start..<start + step] { start += step }
        }
        return start
    }
}
