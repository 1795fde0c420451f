internal import CSystemCalls

extension AtomicReplacement {
    private static var prefix: String { ".multi-identity-" }
    private static var suffix: String { ".tmp" }

    /// Returns whether a name is one that an interrupted replacement can have left.
    package static func isTemporary(_ name: String) -> Bool {
        let digits = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
        return name.hasPrefix(prefix) && name.hasSuffix(suffix) && digits.count == 16
            && digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    static func temporaryName() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return prefix + String(repeating: "0", count: 16 - digits.utf8.count) + digits + suffix
    }

    /// A file without a name is given one through its descriptor's path.
    static let canNameUnnamed: Bool = {
        var status = sys_status()
        return sys_status_at(sys_here, "/proc/self/fd", &status) >= 0
    }()

    /// The directory of a path and its last component.
    package static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    /// Removes a file that an interrupted replacement left, unless it is in use.
    ///
    /// - Parameters:
    ///   - name: A name that ``isTemporary(_:)`` recognizes.
    ///   - directory: The directory of the file.
    /// - Returns: Whether it was removed; `false` if it is locked, or has got its name meanwhile.
    /// - Throws: ``SystemCallError`` if it cannot be opened or removed.
    package static func sweep(_ name: String, in directory: borrowing OpenFile) throws(SystemCallError) -> Bool {
        let file = try directory.open(name, .reading)
        guard try file.lock(as: name, in: directory) == .taken else { return false }
        try directory.unlink(name)
        // Locked until the name is gone: a process that makes a file opens it before locking it.
        try file.unlock()
        return true
    }
}
