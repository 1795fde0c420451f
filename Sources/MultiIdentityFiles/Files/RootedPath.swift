/// A checked path below the root, as given; it contains no `..`.
///
/// Two paths are equal only if all their bytes are: unlike strings, file names that look alike are different.
struct RootedPath: Hashable, Sendable {
    /// No component is empty, "." or "..".
    let text: String

    init(_ path: String) throws(IdentityFileError) {
        if Self.isPlain(path) {
            text = path
            return
        }
        func refused(_ why: String) -> IdentityFileError {
            IdentityFileError(.invalidPath, path, "The path \(path.debugDescription) \(why). Pass one below the root.")
        }
        if path.utf8.isEmpty { throw refused("is empty") }
        if path.utf8.first == UInt8(ascii: "/") { throw refused("is absolute") }
        if path.utf8.contains(0) { throw refused("contains a NUL") }
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        if parts.contains(where: { $0.elementsEqual("..".utf8) }) { throw refused("goes up") }
        guard let last = parts.last else { throw refused("names the root itself") }
        if AtomicReplacement.isTemporary(String(Substring(last))) {
            throw refused("ends in a reserved name")
        }
        text = parts.map { String(Substring($0)) }.joined(separator: "/")
    }

    /// Returns whether a path needs no change and no check, in one pass; most lookups cost little more.
    ///
    /// Any component that begins with a dot is left to the checks.
    private static func isPlain(_ path: String) -> Bool {
        var beginsComponent = true
        for byte in path.utf8 {
            let isSlash = byte == UInt8(ascii: "/")
            if byte == 0 || beginsComponent && (isSlash || byte == UInt8(ascii: ".")) { return false }
            beginsComponent = isSlash
        }
        return !beginsComponent
    }

    /// One that was checked before.
    init(known text: String) { self.text = text }

    /// The directory, empty for the root, and the last component.
    var parts: (folder: String, name: String) {
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", text) }
        return (String(text[..<slash]), String(text[text.utf8.index(after: slash)...]))
    }

    /// Returns the path with its beginning replaced; `nil` if it does not begin so.
    func moved(from old: RootedPath, to new: RootedPath) -> RootedPath? {
        guard isBelow(old) else { return nil }
        return RootedPath(known: new.text + String(Substring(text.utf8.dropFirst(old.text.utf8.count))))
    }

    /// Returns whether it equals a path or is below it.
    func isBelow(_ path: RootedPath) -> Bool {
        guard text.utf8.starts(with: path.text.utf8) else { return false }
        let rest = text.utf8.dropFirst(path.text.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/")
    }

    static func == (one: RootedPath, other: RootedPath) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
