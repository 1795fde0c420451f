/// The entries of files: those of the log's blocks, which stay in the bytes read, and the later records, which override them.
///
/// Later records are in parts: copying is free, and a change during an iteration copies one part, not a million entries.
struct OwnerEntries: Sendable, Sequence {
    /// A `nil` entry means a file of a block that was removed.
    private typealias Part = [FileKey: OwnerTable.Entry?]

    private var parts = [Part](repeating: [:], count: 256)
    /// In the order of their keys.
    private var blocks: [OwnerBlock] = []
    private var firsts: [FileKey] = []
    /// Indicates whether nothing has changed so far.
    private var isAsRead = true

    /// Spreads consecutive inode numbers over the parts (source: Knuth, The Art of Computer
    /// Programming, volume 3, 6.4: multiplicative hashing).
    private static func part(of key: FileKey) -> Int { Int((key.inode &* 0x9E37_79B9_7F4A_7C15) >> 56) }

    subscript(key: FileKey) -> OwnerTable.Entry? {
        get {
            if let changed = parts[Self.part(of: key)][key] { return changed }
            return unchanged(key).map { $0.block.entry($0.row) }
        }
        set {
            isAsRead = false
            if newValue == nil, unchanged(key) == nil {
                parts[Self.part(of: key)].removeValue(forKey: key)
            } else {
                parts[Self.part(of: key)].updateValue(newValue, forKey: key)
            }
        }
    }

    /// Returns the owner of a file, without decoding its names.
    func owner(_ key: FileKey) -> (owner: FileOwner, isUncertain: Bool)? {
        if let changed = parts[Self.part(of: key)][key] { return changed.map { ($0.owner, $0.isUncertain) } }
        return unchanged(key).map { $0.block.owner($0.row) }
    }

    /// Adds the files of a block, if there are only earlier blocks so far.
    mutating func add(_ block: OwnerBlock) -> Bool {
        guard isAsRead, blocks.last.map({ $0.last < block.first }) ?? true else { return false }
        blocks.append(block)
        firsts.append(block.first)
        return true
    }

    private func unchanged(_ key: FileKey) -> (block: OwnerBlock, row: Int)? {
        var (low, high) = (0, firsts.count)
        while low < high {
            let middle = (low + high) / 2
            if key < firsts[middle] { high = middle } else { low = middle + 1 }
        }
        guard low > 0, let row = blocks[low - 1].find(key) else { return nil }
        return (blocks[low - 1], row)
    }

    private func isChanged(_ key: FileKey) -> Bool { parts[Self.part(of: key)][key] != nil }

    var isEmpty: Bool { first { _ in true } == nil }

    /// Visits all entries, in the order of their keys.
    struct Iterator: IteratorProtocol {
        fileprivate let entries: OwnerEntries
        fileprivate var changed: ArraySlice<FileKey>
        private var (block, row) = (0, 0)

        fileprivate init(_ entries: OwnerEntries) {
            self.entries = entries
            changed = entries.parts.flatMap(\.keys).sorted()[...]
        }

        mutating func next() -> (key: FileKey, value: OwnerTable.Entry)? {
            while true {
                if block < entries.blocks.count, row == entries.blocks[block].count { (block, row) = (block + 1, 0) }
                let here = block < entries.blocks.count ? entries.blocks[block] : nil
                let old = here?.key(row)
                guard let key = changed.first, old.map({ key <= $0 }) ?? true else {
                    guard let here, let old else { return nil }
                    row += 1
                    return (old, here.entry(row - 1))
                }
                changed = changed.dropFirst()
                if key == old { row += 1 }
                if let entry = entries.parts[OwnerEntries.part(of: key)][key] ?? nil { return (key, entry) }
            }
        }
    }

    func makeIterator() -> Iterator { Iterator(self) }

    /// Returns the entries of an owner's files, without uncertain ones.
    func of(_ owner: FileOwner) -> [FileKey: OwnerTable.Entry] {
        var found: [FileKey: OwnerTable.Entry] = [:]
        for part in parts {
            for case (let key, let entry?) in part where entry.owner == owner && !entry.isUncertain {
                found[key] = entry
            }
        }
        for block in blocks {
            for row in block.rows(of: owner) where !isChanged(block.key(row)) {
                found[block.key(row)] = block.entry(row)
            }
        }
        return found
    }

    /// The files that have a name which is a path or below it.
    func keys(below path: RootedPath) -> [FileKey] {
        var found: [FileKey] = []
        for part in parts {
            for case (let key, let entry?) in part where entry.names.contains(where: { $0.isBelow(path) }) {
                found.append(key)
            }
        }
        let bytes = Array(path.text.utf8)
        for block in blocks { found += block.rows(below: bytes).map(block.key).filter { !isChanged($0) } }
        return found
    }
}
