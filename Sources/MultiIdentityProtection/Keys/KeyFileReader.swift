import MultiIdentity

/// Reads what a key file holds, of bytes that are authentic; trusts their counts no more for that.
struct KeyFileReader {
    private let bytes: UnsafeRawBufferPointer
    private var position: Int

    /// - Parameter bytes: The file without its tag, and with its head.
    /// - Returns: What it holds; `nil` where it is not as it is written.
    static func contents(of bytes: UnsafeRawBufferPointer) -> KeyFileContents? {
        var reader = KeyFileReader(bytes: bytes, position: KeyFileFormat.magic.count + 1)
        guard let generation = reader.number(bytes: 8),
            reader.take(KeyFileFormat.saltLength + KeyFileFormat.checkLength) != nil,
            let entryCount = reader.number(bytes: 4), let destroyedCount = reader.number(bytes: 4)
        else { return nil }
        var entries: [KeyFileEntry] = []
        for _ in 0..<entryCount {
            guard let entry = reader.entry() else { return nil }
            entries.append(entry)
        }
        var destroyed: Set<IdentityKeyID> = []
        for _ in 0..<destroyedCount {
            guard let id = reader.id() else { return nil }
            destroyed.insert(id)
        }
        guard reader.position == bytes.count else { return nil }
        return KeyFileContents(generation: generation, entries: entries, destroyed: destroyed)
    }

    private mutating func entry() -> KeyFileEntry? {
        guard let id = id(), let length = number(bytes: 2), let name = take(Int(length)),
            let owner = try? Identity(utf8: name), let salt = take(KeyFileEntry.saltLength),
            let wrapped = take(KeyFileEntry.wrappedLength)
        else { return nil }
        return KeyFileEntry(id: id, owner: owner, salt: Array(salt), wrapped: Array(wrapped))
    }

    private mutating func id() -> IdentityKeyID? { take(IdentityKeyID.length).flatMap { IdentityKeyID(bytes: $0) } }

    private mutating func number(bytes count: Int) -> UInt64? {
        take(count)?.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard bytes.count - position >= count else { return nil }
        defer { position += count }
        return bytes.part(position..<position + count)
    }
}
