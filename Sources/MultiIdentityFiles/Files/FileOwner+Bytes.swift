internal import MultiIdentity

/// The bytes of an owner, in an attribute and in the index.
///
/// | bytes | |
/// | --- | --- |
/// | 1 | the version, 1 |
/// | 1 | 0 for unset, 1 for nobody, 2 for an identity |
/// | 4 | the checksum (CRC-32, little-endian) of the two bytes before and the name |
/// | 1 to 1,024 | the name in UTF-8, for an identity alone |
///
/// The checksum prevents damage from turning one name into another.
extension FileOwner {
    /// The attribute for a file's owner.
    package static var attribute: String { "user.multi-identity.owner" }
    package static var maximumByteCount: Int { 6 + Identity.maximumNameLength }

    /// A reason why bytes are not an owner.
    package enum Fault: Error, Hashable, Sendable {
        case damaged(String)
        case newer(version: UInt8)
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(.littleEndian)
        write(to: &writer)
        return writer.bytes
    }

    /// Adds ``bytes``.
    func write(to writer: inout ByteWriter) {
        let (kind, name): (UInt8, String) =
            switch self {
            case .unset: (0, "")
            case .nobody: (1, "")
            case .identity(let identity): (2, identity.name)
            }
        writer.add(1 as UInt8)
        writer.add(kind)
        writer.add(Self.sum(kind, name.utf8))
        writer.add(name.utf8)
    }

    /// The number of bytes that it has.
    var byteCount: Int {
        if case .identity(let identity) = self { 6 + identity.name.utf8.count } else { 6 }
    }

    package init(bytes: [UInt8]) throws(Fault) {
        self = try bytes.span.bytes.withUnsafeBytes { (bytes) throws(Fault) in try FileOwner(bytes: bytes) }
    }

    init(bytes: UnsafeRawBufferPointer) throws(Fault) {
        guard let version = bytes.first else { throw .damaged("it is empty") }
        if version > 1 { throw .newer(version: version) }
        var reader = ByteReader(bytes, .littleEndian)
        guard version == 1, (try? reader.bytes(1)) != nil, let kind = try? reader.number(UInt8.self),
            let sum = try? reader.number(UInt32.self)
        else { throw .damaged("its beginning is wrong") }
        let name = reader.rest
        guard Self.sum(kind, name) == sum else { throw .damaged("its checksum does not match") }
        switch (kind, name.isEmpty) {
        case (0, true): self = .unset
        case (1, true): self = .nobody
        case (2, false):
            // From an array, the collection from which a name is read fastest.
            do { self = .identity(try Identity(utf8: Array(name))) } catch {
                throw .damaged("its name is invalid: \(error)")
            }
        default: throw .damaged("it has the unknown kind \(kind)")
        }
    }

    private static func sum(_ kind: UInt8, _ name: some Sequence<UInt8>) -> UInt32 {
        var sum = Checksum()
        sum.update(with: CollectionOfOne(1))
        sum.update(with: CollectionOfOne(kind))
        sum.update(with: name)
        return sum.value
    }
}
