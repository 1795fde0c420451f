/// One change of the index of owners, as in its log; all numbers are little-endian.
///
/// | bytes | |
/// | --- | --- |
/// | 1 | 1 put, 2 forget, 3 unname, 4 alias, 5 drop, 6 put with an uncertain owner |
/// | 8, 8 | device and inode (1, 2, 3, 6) |
/// | 1, 8 | whether the time of birth is known, and it, in nanoseconds since 1970 (1, 2, 3, 6) |
/// | 2 and so many | the owner as an attribute has it (1, 6) |
/// | 4 and so many | the path in UTF-8 (1, 3, 4, 5, 6) |
/// | 4 and so many | the new path (4) |
enum OwnerRecord: Hashable, Sendable {
    /// The file belongs to this owner, possibly uncertain since, and has this name among others.
    case put(FileKey, FileOwner, RootedPath, isUncertain: Bool = false)
    /// The file is gone.
    case forget(FileKey)
    /// The file no longer has this name.
    case unname(FileKey, RootedPath)
    /// Each file with a name at or below the first path also has one at or below the second.
    case alias(RootedPath, RootedPath)
    /// No file has a name at or below this path.
    case drop(RootedPath)

    var bytes: [UInt8] {
        var writer = ByteWriter(.littleEndian)
        write(to: &writer)
        return writer.bytes
    }

    /// The file that it is about; `nil` for one about paths.
    var key: FileKey? {
        switch self {
        case .put(let key, _, _, _), .forget(let key), .unname(let key, _): key
        case .alias, .drop: nil
        }
    }

    /// Indicates whether it removes a file or one of its names.
    var isTakenBack: Bool {
        switch self {
        case .forget, .unname: true
        case .put, .alias, .drop: false
        }
    }

    func write(to writer: inout ByteWriter) {
        switch self {
        case .put(let key, let owner, let path, let isUncertain):
            writer.add(isUncertain ? 6 : 1 as UInt8)
            writer.add(key)
            writer.add(UInt16(owner.byteCount))
            owner.write(to: &writer)
            writer.add(path)
        case .forget(let key):
            writer.add(2 as UInt8)
            writer.add(key)
        case .unname(let key, let path):
            writer.add(3 as UInt8)
            writer.add(key)
            writer.add(path)
        case .alias(let old, let new):
            writer.add(4 as UInt8)
            writer.add(old)
            writer.add(new)
        case .drop(let path):
            writer.add(5 as UInt8)
            writer.add(path)
        }
    }

    init(_ bytes: [UInt8], _ owners: inout OwnersRead) throws(ByteError) {
        self = try ByteReader.whole(bytes, .littleEndian) { (reader) throws(ByteError) in
            let kind: UInt8 = try reader.number()
            switch kind {
            case 1, 6:
                let (key, owner) = (try reader.key(), try owners.owner(try reader.bytes(behind: UInt16.self)))
                return .put(key, owner, try reader.path(), isUncertain: kind == 6)
            case 2: return .forget(try reader.key())
            case 3: return .unname(try reader.key(), try reader.path())
            case 4: return .alias(try reader.path(), try reader.path())
            case 5: return .drop(try reader.path())
            default: throw .invalid
            }
        }
    }
}

/// The owners that were read from a log so far: most have many files, and a name takes long to be read.
struct OwnersRead {
    /// By the checksum in their bytes.
    private var known: [UInt32: (bytes: [UInt8], owner: FileOwner)] = [:]

    mutating func owner(_ bytes: UnsafeRawBufferPointer) throws(ByteError) -> FileOwner {
        let sum = bytes.count < 6 ? 0 : bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self)
        if let (same, owner) = known[sum], same.elementsEqual(bytes) { return owner }
        do {
            let owner = try FileOwner(bytes: bytes)
            known[sum] = (Array(bytes), owner)
            return owner
        } catch { throw .invalid }
    }
}

extension ByteWriter {
    fileprivate mutating func add(_ key: FileKey) {
        add(key.device)
        add(key.inode)
        add(key.birthTime == nil ? 0 : 1 as UInt8)
        add(UInt64(bitPattern: key.birthTime ?? 0))
    }

    fileprivate mutating func add(_ path: RootedPath) { add(path.text, behind: UInt32.self) }
}

extension ByteReader {
    fileprivate mutating func key() throws(ByteError) -> FileKey {
        let (device, inode): (UInt64, UInt64) = (try number(), try number())
        let (isKnown, birth) = (try flag(UInt8.self), try number(UInt64.self))
        return FileKey(device: device, inode: inode, birthTime: isKnown ? Int64(bitPattern: birth) : nil)
    }

    fileprivate mutating func path() throws(ByteError) -> RootedPath {
        let text = try text(behind: UInt32.self)
        do { return try RootedPath(text) } catch { throw .invalid }
    }
}
