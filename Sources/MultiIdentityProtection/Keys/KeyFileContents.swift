import MultiIdentity

/// The content of a key file: wrapped keys, and the ids of those that were destroyed.
struct KeyFileContents: Sendable {
    /// Increases with each write, so that an older file is recognized.
    private(set) var generation: UInt64 = 0
    /// In the order of their creation; an identity's last key is the current one.
    private(set) var entries: [KeyFileEntry] = []
    private(set) var destroyed: Set<IdentityKeyID> = []

    private var indexes: [Identity: [Int]] = [:]

    init() {}

    init(generation: UInt64, entries: [KeyFileEntry], destroyed: Set<IdentityKeyID>) {
        self.generation = generation
        self.entries = entries
        self.destroyed = destroyed
        index()
    }

    private mutating func index() {
        indexes = [:]
        for (index, entry) in entries.enumerated() { indexes[entry.owner, default: []].append(index) }
    }

    func first(of owner: Identity) -> KeyFileEntry? { indexes[owner]?.first.map { entries[$0] } }

    func current(of owner: Identity) -> KeyFileEntry? { indexes[owner]?.last.map { entries[$0] } }

    func entry(_ id: IdentityKeyID, of owner: Identity) -> KeyFileEntry? {
        indexes[owner]?.lazy.map { entries[$0] }.first { $0.id == id }
    }

    func has(_ owner: Identity) -> Bool { indexes[owner] != nil }

    /// Returns the next content, with one more key.
    func adding(_ entry: KeyFileEntry) -> KeyFileContents {
        var next = self
        next.generation += 1
        next.indexes[entry.owner, default: []].append(entries.count)
        next.entries.append(entry)
        return next
    }

    /// Returns the next content, without the keys of an identity and without its name.
    func destroying(_ owner: Identity) -> KeyFileContents {
        let gone = entries.filter { $0.owner == owner }.map(\.id)
        return KeyFileContents(
            generation: generation + 1,
            entries: entries.filter { $0.owner != owner },
            destroyed: destroyed.union(gone)
        )
    }

    /// The next content, with each key wrapped again.
    func rewrapped<Failure: Error>(
        _ rewrap: (KeyFileEntry) throws(Failure) -> KeyFileEntry
    ) throws(Failure) -> KeyFileContents {
        var wrapped: [KeyFileEntry] = []
        for entry in entries { wrapped.append(try rewrap(entry)) }
        return replaced(by: wrapped)
    }

    /// Returns the next content, with these keys in place of all others.
    func replaced(by entries: [KeyFileEntry]) -> KeyFileContents {
        KeyFileContents(generation: generation + 1, entries: entries, destroyed: destroyed)
    }
}
