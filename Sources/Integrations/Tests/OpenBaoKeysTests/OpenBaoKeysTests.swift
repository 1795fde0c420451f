import Foundation
import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

@testable import OpenBaoKeys

/// `check-key-service` starts the service, and passes its address and this program's token.
private let service = ProcessInfo.processInfo.environment["KEY_SERVICE"]?.split(separator: " ").map(String.init)

@Suite("Keys in OpenBao", .enabled(if: service != nil)) struct OpenBaoKeysTests {
    /// A machine's view of the service.
    private func machine(remembering time: Duration = .seconds(60), token: String? = nil) throws -> OpenBaoKeys {
        let service = try #require(service)
        var settings = OpenBaoKeys.Settings(address: service[0]) { token ?? service[1] }
        settings.remembered = time
        return OpenBaoKeys(settings)
    }

    private func account() throws -> Identity { try Identity("user\(UInt64.random(in: .min ... .max))@contoso.com") }

    private func protection(_ keys: OpenBaoKeys, _ identity: Identity) throws -> DataProtection {
        let accounts = Accounts(
            mode: .multi,
            policies: PolicyFeed(PolicySet(standard: .everything)),
            levels: IdentityLevels()
        )
        try accounts.enroll(identity)
        return DataProtection(keys: keys, accounts: accounts)
    }

    private func code<Value>(_ body: () throws(ProtectionError) -> Value) -> ProtectionError.Code? {
        do throws(ProtectionError) { _ = try body() } catch {
            #expect(!"\(error)".contains(service?[1] ?? "-"), "no error has the token")
            return error.code
        }
        return nil
    }

    @Test("protect data on one machine and open them on another, with nothing stored on either")
    func protectOnOneMachine() throws {
        let ada = try account()
        let (one, other) = (try machine(), try machine())
        let sealed = try protection(one, ada).protect(Array("of hers".utf8), for: ada)
        #expect(try protection(other, ada).unprotect(sealed, expecting: ada) == Array("of hers".utf8))
        #expect(try one.currentKey(for: ada).id == other.currentKey(for: ada).id)
        let bob = try account()
        let id = try one.currentKey(for: ada).id
        _ = try one.currentKey(for: bob)
        #expect(code { () throws(ProtectionError) in try one.key(id, of: bob) } == .unknownKey, "never another's")
    }

    @Test("stay for old data after a rotation, also on machines that were not notified")
    func stayForOldData() throws {
        let ada = try account()
        let (one, other) = (try machine(), try machine())
        let old = try protection(one, ada).protect(Array("old".utf8), for: ada)
        let before = try other.currentKey(for: ada).id
        let after = try one.rotateKey(of: ada)
        #expect(try after != before && one.currentKey(for: ada).id == after)
        #expect(try one.keyCount(of: ada) == 2)
        let new = try protection(one, ada).protect(Array("new".utf8), for: ada)
        for sealed in [old, new] { _ = try protection(other, ada).unprotect(sealed, expecting: ada) }
    }

    @Test("are destroyed for every machine and every copy of data, and the next one is another")
    func areDestroyedForEveryMachine() throws {
        let ada = try account()
        let (one, other) = (try machine(), try machine(remembering: .zero))
        let sealed = try protection(one, ada).protect(Array("of hers".utf8), for: ada)
        let id = try other.currentKey(for: ada).id
        try one.destroyKeys(of: ada)
        try one.destroyKeys(of: ada)
        #expect(try !one.hasKeys(of: ada) && !other.hasKeys(of: ada))
        for machine in [one, other] {
            #expect(code { () throws(ProtectionError) in try machine.key(id, of: ada) } == .destroyedKey)
        }
        #expect(throws: ProtectionError.self) {
            try protection(other, ada).unprotect(sealed, expecting: ada)
        }
        #expect(try one.currentKey(for: ada).id != id)
        #expect(code { () throws(ProtectionError) in try one.key(id, of: ada) } == .unknownKey)
    }

    @Test("are not made for nobody or a revoked identity; old data can be read until they are destroyed")
    func areMadeForNobodyWhoIsRevoked() throws {
        let (ada, keys) = (try account(), try machine())
        let id = try keys.currentKey(for: ada).id
        IdentityRevocation.revoke(ada, for: .signedOut)
        #expect(code { () throws(ProtectionError) in try keys.currentKey(for: ada) } == .revoked)
        #expect(code { () throws(ProtectionError) in try keys.rotateKey(of: ada) } == .revoked)
        #expect(try keys.key(id, of: ada).id == id && keys.keyCount(of: ada) == 1)
        #expect(code { () throws(ProtectionError) in try keys.currentKey(for: .nobody) } == .nobody)
        #expect(code { () throws(ProtectionError) in try keys.destroyKeys(of: .nobody) } == .nobody)
    }

    @Test(
        "are out of reach where the service does not answer, or does not let the program in; nothing counts as destroyed"
    )
    func areOutOfReach() throws {
        let (ada, keys) = (try account(), try machine())
        let id = try keys.currentKey(for: ada).id
        var nowhere = OpenBaoKeys.Settings(address: "http://127.0.0.1:1") { "none" }
        nowhere.limit = .seconds(1)
        struct Lost: Error {}
        let untold = OpenBaoKeys.Settings(address: try #require(service)[0]) { throw Lost() }
        let (address, token) = (try #require(service)[0], try #require(service)[1])
        var elsewhere = OpenBaoKeys.Settings(address: address) { token }
        elsewhere.mount = "elsewhere"
        let others = [OpenBaoKeys(nowhere), OpenBaoKeys(untold), OpenBaoKeys(elsewhere), try machine(token: "another")]
        for keys in others {
            #expect(code { () throws(ProtectionError) in try keys.currentKey(for: ada) } == .keyUnavailable)
            #expect(code { () throws(ProtectionError) in try keys.key(id, of: ada) } == .keyUnavailable)
            #expect(code { () throws(ProtectionError) in try keys.hasKeys(of: ada) } == .keyUnavailable)
            #expect(code { () throws(ProtectionError) in try keys.destroyKeys(of: ada) } == .keyUnavailable)
        }
        #expect(try keys.hasKeys(of: ada))
    }

    @Test("have names in the service that do not reveal their owners, and one for all spellings of a name")
    func haveNamesThatTellNobody() throws {
        let ada = try Identity("Ada@contoso.com")
        let name = OpenBaoKeys.name(of: ada)
        #expect(name == OpenBaoKeys.name(of: try Identity("ADA@CONTOSO.COM")))
        #expect(!name.lowercased().contains("ada") && !name.contains("@") && name.count == 73)
    }

    @Test("have an ID that reveals nothing of the secret, and differ by version and by identity")
    func haveAnIDThatTellsNothing() throws {
        let service = try #require(service)
        let engine = TransitEngine(settings: .init(address: service[0]) { service[1] }, client: TransitEngine.client)
        var seen: Set<[UInt8]> = []
        for identity in [try account(), try account()] {
            let name = OpenBaoKeys.name(of: identity)
            try engine.make(name)
            try engine.rotate(name)
            for version in 1...2 {
                let codes = try #require(try engine.codes(of: name, version: version))
                for code in [codes.secret, codes.id] { seen.insert(Array(code.prefix(IdentityKeyID.length))) }
            }
        }
        #expect(seen.count == 8)
    }
}
