/// The path of a directory below the root, in the bytes of the file system; empty for the root.
///
/// Unlike a string, it can be opened again even if it is not UTF-8.
struct FolderPath: Sendable {
    /// Without the NUL at the end.
    private let bytes: [CChar]

    init() { bytes = [] }

    init(_ path: RootedPath) { bytes = path.text.utf8.map { CChar(bitPattern: $0) } }

    /// Creates the path of a checked path's directory.
    init(folderOf path: RootedPath) { bytes = path.parts.folder.utf8.map { CChar(bitPattern: $0) } }

    private init(bytes: [CChar]) { self.bytes = bytes }

    func appending(_ name: UnsafePointer<CChar>) -> FolderPath {
        var longer = bytes
        if !longer.isEmpty { longer.append(CChar(bitPattern: UInt8(ascii: "/"))) }
        longer += Self.bytes(of: name).dropLast()
        return FolderPath(bytes: longer)
    }

    /// The length of a path, to return to it from a path below.
    struct Length { fileprivate let count: Int }

    var length: Length { Length(count: bytes.count) }

    func prefix(_ length: Length) -> FolderPath { FolderPath(bytes: Array(bytes.prefix(length.count))) }

    /// A name's bytes with the NUL at the end.
    static func bytes(of name: UnsafePointer<CChar>) -> [CChar] {
        var bytes: [CChar] = []
        var next = name
        while next.pointee != 0 {
            bytes.append(next.pointee)
            next += 1
        }
        return bytes + [0]
    }

    /// For the system.
    var terminated: [CChar] { bytes + [0] }

    /// The text for messages, and for comparison with recorded names, which are UTF-8.
    var text: String { bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

    func text(of name: UnsafePointer<CChar>) -> String {
        bytes.isEmpty ? String(cString: name) : "\(text)/\(String(cString: name))"
    }

    /// A name's path as records have it.
    func rooted(_ name: UnsafePointer<CChar>) -> RootedPath { RootedPath(known: text(of: name)) }
}
