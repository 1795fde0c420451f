import MultiIdentity
import Testing

@testable import MultiIdentityPolicy
@testable import MultiIdentityProtection

/// Two managed identities, an unmanaged one, and the protection of their data.
struct ProtectionFixture {
    struct Managed: ManagedIdentities {
        let names: Set<Identity>
        func isManaged(_ identity: Identity) -> Bool { names.contains(identity) }
    }

    let ada = Users.named("Ada@contoso.com")
    let bob = Users.bob
    let eve = Users.eve
    let keys = KeysInMemory()
    let protection: DataProtection

    init(in size: SegmentSize = .kibibytes4) {
        protection = DataProtection(keys: keys, accounts: Managed(names: [ada, bob]), segmentSize: size)
    }

    /// Returns bytes that repeat nowhere within a segment.
    static func text(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) } }

    /// Returns the code of the error that a body throws, or `nil`.
    static func code(_ body: () throws -> Void) -> ProtectionError.Code? { errorCode(of: body) }

    func code(unprotecting bytes: [UInt8], expecting identity: Identity? = nil) -> ProtectionError.Code? {
        Self.code {
            if let identity {
                _ = try protection.unprotect(bytes, expecting: identity)
            } else {
                _ = try protection.unprotectIfProtected(bytes)
            }
        }
    }

    /// Returns the offset of a message's first segment.
    func startOfSegments(of owner: Identity) -> Int {
        ProtectionFormat.fixedLength + owner.name.utf8.count + ProtectionFormat.encryptedLength
            + ProtectionFormat.headerTagLength
    }
}
