import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityProtection

@Suite("Published vectors", .rule("12.5")) struct VectorsThatWerePublished {
    @Test("are accepted or refused as Wycheproof says") func areTakenOrRefusedAsWycheproofSays() throws {
        let ciphers = try PublishedVectors.lines("aes-gcm")
        #expect(ciphers.count == 66)
        for line in ciphers {
            let parts = try line[3...].map(PublishedVectors.bytes)
            let (nonce, associated, text, sealed) = (parts[1], parts[2], parts[3], parts[4] + parts[5])
            var opener = try cipher(parts[0], .opening)
            let opened = try opener.opened(sealed, nonce: nonce, associated: associated)
            let isOurs = line[2] == "valid"
            #expect(opened.isOurs == isOurs, "\(line)")
            #expect(opened.text == (isOurs ? text : [UInt8](repeating: 0, count: text.count)), "\(line)")
            guard isOurs else { continue }
            var sealer = try cipher(parts[0], .sealing)
            // One context for several texts, as in a message.
            for _ in 0..<2 {
                #expect(try sealer.sealed(text, nonce: nonce, associated: associated) == sealed, "\(line)")
            }
        }
        let derivations = try PublishedVectors.lines("hkdf-sha256")
        #expect(derivations.count == 39)
        for line in derivations {
            let parts = try line[4...].map(PublishedVectors.bytes)
            let count = try #require(Int(line[3]))
            func derived() throws(ProtectionError) -> [UInt8] {
                try Derivation.bytes(count, from: Bytes(parts[0]).readable, salt: parts[1], info: parts[2])
            }
            if line[2] == "valid" {
                #expect(try derived() == parts[3], "\(line)")
            } else {
                #expect(throws: ProtectionError.self, "\(line)") { try derived() }
            }
        }
    }

    /// In Swift 6.2 an empty array has no address.
    @Test("are the same if empty bytes have no address") func areTheSameFromNoAddress() throws {
        func derived(_ none: UnsafeRawBufferPointer) throws -> [UInt8] {
            let key = Bytes(32)
            try Cryptography.derive(from: Bytes([1]).readable, salt: none, info: none, into: key.memory)
            return Array(key.memory)
        }
        #expect(try derived(UnsafeRawBufferPointer(start: nil, count: 0)) == derived(Bytes(0).readable))
    }

    @Test("are the messages of the format") func areTheMessagesOfTheFormat() throws {
        for vector in try PublishedVectors.Format.read().messages {
            let owner = try Identity(vector.owner)
            let keys = KeysInMemory()
            let id = try #require(try IdentityKeyID(bytes: PublishedVectors.bytes(vector.keyID)))
            let key = try IdentityKey(id: id, secret: PublishedVectors.bytes(vector.key))
            keys.add(key, of: owner)
            let size = try #require(SegmentSize(exponent: vector.exponent))
            let salt = try PublishedVectors.bytes(vector.salt)
            var message = try DataProtection.begin(for: owner, key, salt: salt, in: size)
            guard var cipher = message.cipher.take() else { throw ProtectionError.finished }
            let header = message.header
            let text = ProtectionFixture.text(vector.textCount)
            let sealed = try text.span.bytes.withUnsafeBytes { (text) throws(ProtectionError) in
                try DataProtection.seal(text, header: header, with: &cipher, in: size)
            }
            #expect(sealed.count == vector.messageCount)
            #expect(try Self.digest(sealed) == vector.sha256)
            if let message = vector.message { #expect(try sealed == PublishedVectors.bytes(message)) }
            let protection = DataProtection(keys: keys, accounts: ProtectionFixture.Managed(names: [owner]))
            #expect(try protection.unprotect(sealed, expecting: owner) == text)
        }
    }

    @Test("are the claims of the format") func areTheClaimsOfTheFormat() throws {
        let protection = DataProtection(keys: KeysInMemory(), accounts: ProtectionFixture.Managed(names: []))
        for vector in try PublishedVectors.Format.read().claims {
            let owner = vector.owner.isEmpty ? Identity.nobody : try Identity(vector.owner)
            let (text, message) = (ProtectionFixture.text(vector.textCount), try PublishedVectors.bytes(vector.message))
            #expect(try protection.protect(text, for: owner) == message)
            #expect(try protection.unprotectIfProtected(message) == text)
        }
    }

    @Test("are a key file of the format") func areAKeyFileOfTheFormat() throws {
        let vector = try PublishedVectors.Format.read().keyFile
        let folder = KeyFolder()
        folder.bytes = try PublishedVectors.bytes(vector.file)
        let keys = try KeyFile(at: folder.path, masterKey: MasterKey(PublishedVectors.bytes(vector.master)))
        for entry in vector.entries {
            let id = try #require(try IdentityKeyID(bytes: PublishedVectors.bytes(entry.keyID)))
            let key = try keys.key(id, of: Identity(entry.owner))
            #expect(try KeyFolder.bytes(of: key) == PublishedVectors.bytes(entry.key))
        }
        #expect(try keys.currentKey(for: Users.ada).id.description == vector.entries[2].keyID)
        for id in vector.destroyed {
            let id = try #require(try IdentityKeyID(bytes: PublishedVectors.bytes(id)))
            #expect(KeyFolder.code { _ = try keys.key(id, of: Users.ada) } == .destroyedKey)
        }
    }

    private func cipher(_ key: [UInt8], _ direction: AESGCM.Direction) throws -> AESGCM {
        try key.span.bytes.withUnsafeBytes { (key) throws(ProtectionError) in try AESGCM(key: key, for: direction) }
    }

    private static func digest(_ bytes: [UInt8]) throws -> String {
        let digest = Bytes(Cryptography.digestLength)
        try Cryptography.digest(of: Bytes(bytes).readable, into: digest.memory)
        return digest.memory.map { String($0 / 16, radix: 16) + String($0 % 16, radix: 16) }.joined()
    }
}

/// Bytes that keep their address for as long as the process runs.
private struct Bytes {
    let memory: UnsafeMutableRawBufferPointer
    var readable: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }

    init(_ count: Int) { self.init([UInt8](repeating: 0, count: count)) }

    init(_ bytes: [UInt8]) {
        memory = .allocate(byteCount: bytes.count, alignment: 16)
        memory.copyBytes(from: bytes)
    }
}

extension AESGCM {
    fileprivate mutating func sealed(_ text: [UInt8], nonce: [UInt8], associated: [UInt8]) throws -> [UInt8] {
        let memory = Bytes(text.count + Self.tagLength)
        try seal(
            Bytes(text).readable,
            nonce: Bytes(nonce).readable,
            authenticating: Bytes(associated).readable,
            into: memory.memory
        )
        return Array(memory.memory)
    }

    fileprivate mutating func opened(
        _ sealed: [UInt8],
        nonce: [UInt8],
        associated: [UInt8]
    ) throws -> (isOurs: Bool, text: [UInt8]) {
        let memory = Bytes([UInt8](repeating: 0xEE, count: sealed.count - Self.tagLength))
        let isOurs = try open(
            Bytes(sealed).readable,
            nonce: Bytes(nonce).readable,
            authenticating: Bytes(associated).readable,
            into: memory.memory
        )
        return (isOurs, Array(memory.memory))
    }
}
