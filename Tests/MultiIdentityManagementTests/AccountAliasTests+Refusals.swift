import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

extension AccountAliasTests {
    private struct Unreachable: Error {}

    @Test(
        "is refused if it has data of its own or is unknown, and then changes nothing",
        .rule("15.12"),
        arguments: ["a holder", "a holder that comes later", "a closure", "a failure"]
    )
    func isRefusedWithSomethingOfItsOwn(_ what: String) async throws {
        let (asked, ada, name) = (Locked(0), ada, name)
        let holder = Holder { identity in
            guard identity == name, what.hasPrefix("a holder") else { return nil }
            let count = asked.next()
            return what == "a holder" || count > 1 ? "2 keys of its own (/keys)" : nil
        }
        let scene = RegistryScene(holdings: { identity in
            if what == "a failure" { throw Unreachable() }
            return identity == name && what == "a closure" ? "7 rows of its own" : nil
        })
        scene.accounts.levels.add(holder)
        try await scene.enroll(ada)
        let error = expect(throws: ManagementError.Code.aliasTaken) { try scene.registry.addAlias(name, of: ada) }
        let words =
            ["a closure": "7 rows of its own", "a failure": "is not known"][what] ?? "2 keys of its own (/keys)"
        #expect(error?.message.contains(words) == true)
        #expect(try scene.registry.identity(named: name) == name && scene.registry.resolve(name) == name)
        try IdentityRevocation.admit(name)
    }

    @Test("is refused if it is managed itself or being wiped, with what to do", .rule("15.12"))
    func isRefusedWithALifeOfItsOwn() async throws {
        let scene = try await RegistryScene().enrolled(ada)
        func refusal() -> String {
            do throws(ManagementError) {
                try scene.registry.addAlias(name, of: ada)
                return "added"
            } catch { return error.code == .aliasTaken ? error.message : "\(error)" }
        }
        scene.feed.change { $0.policies[name] = .nothing }
        #expect(refusal().contains("Name \(ada) there"))
        scene.feed.change { $0.policies[name] = nil }
        IdentityRevocation.revoke(name, for: .wiped)
        #expect(refusal().contains("being wiped"))
        IdentityRevocation.readmit(name, after: .wiped)
        #expect(refusal() == "added")
    }
}

/// A name holder that answers as a test says.
private final class Holder: NameHolder {
    private let say: @Sendable (Identity) throws -> String?

    init(_ say: @escaping @Sendable (Identity) throws -> String?) { self.say = say }

    func holdings(of identity: Identity) throws -> String? { try say(identity) }
}
