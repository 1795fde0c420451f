internal import MultiIdentity

/// The lock under which names below a root are given and taken.
typealias NamespaceLock = Locked<NamespaceChanges>

/// New names of files, for walks that may already have passed there.
struct NamespaceChanges: Sendable {
    // An entry is bound to a name before its reference is loaded, and never put in a tuple: see `IdentityRegistry`.
    private struct Root { weak var lock: NamespaceLock? }

    private static let roots = Locked([FileKey: Root]())

    /// Returns the lock of a root, which all file systems of the process over this directory share, so that a wipe by one
    /// misses nothing that another moves, and removes nothing that another creates meanwhile.
    static func lock(of root: FileStatus) -> NamespaceLock {
        let key = FileKey(device: root.device, inode: root.inode, birthTime: root.birthTime)
        return roots.withLock { roots in
            if let root = roots[key], let lock = root.lock { return lock }
            for key in roots.keys {
                if let root = roots[key], root.lock == nil { roots[key] = nil }
            }
            let lock = NamespaceLock(NamespaceChanges())
            roots[key] = Root(lock: lock)
            return lock
        }
    }

    private struct Watch {
        /// Each path once, however often it is moved.
        var moved: Set<RootedPath> = []
        var made: Set<FileKey> = []
    }

    private var watches: [Int: Watch] = [:]
    private var lastWatch = 0

    /// Begins to note the targets of moves, and created directories.
    mutating func beginWatch() -> Int {
        lastWatch += 1
        watches[lastWatch] = Watch()
        return lastWatch
    }

    mutating func endWatch(_ watch: Int) { watches[watch] = nil }

    /// Notes a move to a name that a walk may already have passed.
    mutating func noteMove(to path: RootedPath) {
        for watch in watches.keys { watches[watch]?.moved.insert(path) }
    }

    /// Notes a created directory: its content was moved there, or does not belong to an identity revoked by then.
    ///
    /// - Parameter key: Evaluated only if there is a watch.
    mutating func noteMadeDirectory(_ key: @autoclosure () -> FileKey?) {
        guard !watches.isEmpty, let key = key() else { return }
        for watch in watches.keys { watches[watch]?.made.insert(key) }
    }

    /// Returns the targets of moves since the last call.
    mutating func takeMoves(_ watch: Int) -> Set<RootedPath> {
        defer { watches[watch]?.moved = [] }
        return watches[watch]?.moved ?? []
    }

    /// Returns whether a directory was created since the watch began.
    func isMade(_ key: FileKey, since watch: Int) -> Bool { watches[watch]?.made.contains(key) == true }
}
