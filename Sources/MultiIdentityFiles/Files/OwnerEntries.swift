/// The entries of files, in parts: a copy costs nothing, and a change while they are gone through copies one part and
/// not a million entries.
struct OwnerEntries: Sendable, Sequence {
    private typealias Part = [FileKey: OwnerTable.Entry]

    private var parts = [Part](repeating: [:], count: 256)

    /// Numbers of files that were made one after another come to be in different parts (source: Knuth, The Art of Computer
    /// Programming, volume 3, 6.4: multiplicative hashing).
    private static func part(of key: FileKey) -> Int { Int((key.inode &* 0x9E37_79B9_7F4A_7C15) >> 56) }

    subscript(key: FileKey) -> OwnerTable.Entry? {
        get { parts[Self.part(of: key)][key] }
        set { parts[Self.part(of: key)][key] = newValue }
    }

    var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }

    func makeIterator() -> some IteratorProtocol<(key: FileKey, value: OwnerTable.Entry)> {
        parts.lazy.joined().makeIterator()
    }

    /// The entries of an owner's files, without those that may be another's by now.
    func of(_ owner: FileOwner) -> [FileKey: OwnerTable.Entry] {
        var found = Part()
        for part in parts {
            for (key, entry) in part where entry.owner == owner && !entry.isUncertain { found[key] = entry }
        }
        return found
    }
}
