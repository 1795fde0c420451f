/// One change of the index of owners, as its log holds it; all numbers are little-endian.
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
    /// The file is this owner's, and has this name among others; it was this owner's, where that is uncertain since.
    case put(FileKey, FileOwner, RootedPath, isUncertain: Bool = false)
    /// The file is gone.
    case forget(FileKey)
    /// The file has this name no more.
    case unname(FileKey, RootedPath)
    /// Each file with a name that is the first path or below it has one at the second, too.
    case alias(RootedPath, RootedPath)
    /// No file has a name that is this path or below it.
    case drop(RootedPath)

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// The file that it is about; `nil` for one about paths.
    var key: FileKey? {
        switch self {
        case .put(let key, _, _, _), .forget(let key), .unname(let key, _): key
        case .alias, .drop: nil
        }
    }

    /// Appends ``bytes``.
    func append(to bytes: inout [UInt8]) {
        switch self {
        case .put(let key, let owner, let path, let isUncertain):
            bytes.append(isUncertain ? 6 : 1)
            Self.append(key, to: &bytes)
            UInt16(owner.byteCount).appendLittleEndian(to: &bytes)
            owner.append(to: &bytes)
            Self.append(path, to: &bytes)
        case .forget(let key):
            bytes.append(2)
            Self.append(key, to: &bytes)
        case .unname(let key, let path):
            bytes.append(3)
            Self.append(key, to: &bytes)
            Self.append(path, to: &bytes)
        case .alias(let old, let new):
            bytes.append(4)
            Self.append(old, to: &bytes)
            Self.append(new, to: &bytes)
        case .drop(let path):
            bytes.append(5)
            Self.append(path, to: &bytes)
        }
    }

    /// - Returns: `nil` where the bytes are no record.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        guard let kind = rest.popFirst() else { return nil }
        switch kind {
        case 1, 6:
            guard let key = Self.key(&rest), let owner = Self.owner(&rest), let path = Self.path(&rest) else {
                return nil
            }
            self = .put(key, owner, path, isUncertain: kind == 6)
        case 2:
            guard let key = Self.key(&rest) else { return nil }
            self = .forget(key)
        case 3:
            guard let key = Self.key(&rest), let path = Self.path(&rest) else { return nil }
            self = .unname(key, path)
        case 4:
            guard let old = Self.path(&rest), let new = Self.path(&rest) else { return nil }
            self = .alias(old, new)
        case 5:
            guard let path = Self.path(&rest) else { return nil }
            self = .drop(path)
        default: return nil
        }
        if !rest.isEmpty { return nil }
    }

    private static func append(_ key: FileKey, to bytes: inout [UInt8]) {
        key.device.appendLittleEndian(to: &bytes)
        key.inode.appendLittleEndian(to: &bytes)
        bytes.append(key.birthTime == nil ? 0 : 1)
        UInt64(bitPattern: key.birthTime ?? 0).appendLittleEndian(to: &bytes)
    }

    private static func append(_ path: RootedPath, to bytes: inout [UInt8]) {
        UInt32(path.text.utf8.count).appendLittleEndian(to: &bytes)
        bytes.append(contentsOf: path.text.utf8)
    }

    private static func number<Number: FixedWidthInteger & UnsignedInteger>(_ rest: inout ArraySlice<UInt8>) -> Number?
    {
        let size = Number.bitWidth / 8
        guard rest.count >= size else { return nil }
        defer { rest = rest.dropFirst(size) }
        return Number(littleEndian: rest)
    }

    private static func key(_ rest: inout ArraySlice<UInt8>) -> FileKey? {
        guard let device: UInt64 = number(&rest), let inode: UInt64 = number(&rest), let isKnown = rest.popFirst(),
            isKnown <= 1, let birth: UInt64 = number(&rest)
        else { return nil }
        return FileKey(device: device, inode: inode, birthTime: isKnown == 1 ? Int64(bitPattern: birth) : nil)
    }

    private static func owner(_ rest: inout ArraySlice<UInt8>) -> FileOwner? {
        guard let size: UInt16 = number(&rest), rest.count >= Int(size) else { return nil }
        defer { rest = rest.dropFirst(Int(size)) }
        return try? FileOwner(bytes: rest.prefix(Int(size)))
    }

    private static func path(_ rest: inout ArraySlice<UInt8>) -> RootedPath? {
        guard let size: UInt32 = number(&rest), rest.count >= Int(size),
            let text = String(validating: rest.prefix(Int(size)), as: UTF8.self)
        else { return nil }
        rest = rest.dropFirst(Int(size))
        return try? RootedPath(text)
    }
}
