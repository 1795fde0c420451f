import MultiIdentity
import Testing

@testable import MultiIdentityProtection

@Suite("Protected data that cannot be read", .rule("12.4")) struct UnreadableDataTests {
    let fixture = ProtectionFixture()

    @Test("because its key was destroyed says so, and still names its owner") func destroyed() throws {
        let sealed = try fixture.protection.protect([1, 2, 3], for: fixture.ada)
        fixture.keys.destroyKeys(of: fixture.ada)
        #expect(fixture.code(unprotecting: sealed) == .destroyedKey)
        #expect(try fixture.protection.protectionInfo(sealed)?.owner == fixture.ada)
    }

    @Test("because its key is unknown says so") func unknown() throws {
        let sealed = try ProtectionFixture().protection.protect([1, 2, 3], for: fixture.ada)
        #expect(fixture.code(unprotecting: sealed) == .unknownKey)
    }

    @Test("because its key is another's is not read with it")
    func anothersKey() throws {
        let key = try fixture.keys.currentKey(for: fixture.bob)
        var message = try DataProtection.begin(
            for: fixture.ada,
            key,
            salt: [UInt8](repeating: 0, count: 32),
            in: .kibibytes4
        )
        guard var cipher = message.cipher.take() else { throw ProtectionError.finished }
        let sealed = try DataProtection.seal(.empty, header: message.header, with: &cipher, in: .kibibytes4)
        #expect(fixture.code(unprotecting: sealed) == .unknownKey)
    }

    @Test("because the provider has other bytes under the key's ID says that the key is wrong") func wrongKey() throws {
        let sealed = try fixture.protection.protect([1, 2, 3], for: fixture.ada)
        let id = try fixture.keys.currentKey(for: fixture.ada).id
        let others = KeysInMemory()
        others.add(try IdentityKey(id: id, secret: [UInt8](repeating: 9, count: 32)), of: fixture.ada)
        let other = DataProtection(keys: others, accounts: fixture.protection.accounts)
        #expect(ProtectionFixture.code { _ = try other.unprotectIfProtected(sealed) } == .wrongKey)
    }

    @Test("because a later version wrote it says so", arguments: [2, 255]) func future(_ version: UInt8) throws {
        var sealed = try fixture.protection.protect([1, 2, 3], for: fixture.ada)
        sealed[8] = version
        #expect(fixture.code(unprotecting: sealed) == .futureVersion)
        #expect(fixture.code(unprotecting: Array(sealed.prefix(9))) == .futureVersion)
    }

    struct Header: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let index: Int
        let byte: UInt8
    }

    @Test(
        "because its header is invalid says so",
        arguments: [
            Header(testDescription: "version 0", index: 8, byte: 0),
            Header(testDescription: "kind 0", index: 9, byte: 0),
            Header(testDescription: "kind 3", index: 9, byte: 3),
            Header(testDescription: "long name", index: 10, byte: 5),
            Header(testDescription: "no name", index: 11, byte: 0),
            Header(testDescription: "not UTF-8", index: 12, byte: 255),
            Header(testDescription: "control", index: 14, byte: 7),
            Header(testDescription: "suite 2", index: 27, byte: 2),
            Header(testDescription: "2 KiB", index: 28, byte: 11),
            Header(testDescription: "2 MiB", index: 28, byte: 21),
            Header(testDescription: "2^255", index: 28, byte: 255),
        ]
    )
    func malformed(_ header: Header) throws {
        var sealed = try fixture.protection.protect([1, 2, 3], for: fixture.ada)
        sealed[header.index] = header.byte
        #expect(fixture.code(unprotecting: sealed) == .tampered)
    }

    @Test("gives errors that contain no bytes of the key or the data") func noSecrets() throws {
        let key = try fixture.keys.currentKey(for: fixture.ada)
        let text = Array("very secret text".utf8)
        var sealed = try fixture.protection.protect(text, for: fixture.ada)
        sealed[sealed.count - 10] ^= 1
        var dumped = ""
        dump(key, to: &dumped)
        do {
            _ = try fixture.protection.unprotectIfProtected(sealed)
            Issue.record("was not refused")
        } catch {
            dumped += "\(error) \(error.message) \(String(reflecting: error))"
        }
        dumped += "\(key) \(String(reflecting: key)) \(key.secret) \(String(reflecting: key.secret))"
        let hexadecimal = key.secret.withBytes { $0.map { String($0, radix: 16) }.joined() }
        let decimal = key.secret.withBytes { "\(Array($0))" }
        #expect(!dumped.contains(hexadecimal.prefix(8)) && !dumped.contains(decimal) && !dumped.contains("secret text"))
        #expect(dumped.contains(key.id.description))
    }
}
