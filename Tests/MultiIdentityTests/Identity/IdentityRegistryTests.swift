import Testing

@testable import MultiIdentity

@Suite("Memory follows the living identities, not all that ever existed") struct IdentityRegistryTests {
    @Test("a million names come and go, and the rest is unchanged", .rule("6.1"))
    func aMillion() async {
        let registry = IdentityRegistry()
        let kept = (0..<10).map { registry.record(for: NameKey("kept-\($0)")) }
        await onNewThread {
            for number in 0..<1_000_000 { _ = registry.record(for: NameKey("user-\(number)@contoso.com")) }
        }
        #expect(registry.count == 10)
        for record in kept { #expect(registry.record(for: record.key) === record) }
    }

    @Test("a name has one record while it is retained, and then a new one", .rule("6.1"))
    func oneRecord() {
        let registry = IdentityRegistry(shardCount: 1)
        weak var first: IdentityRecord?
        do {
            let record = registry.record(for: NameKey("ada"))
            first = record
            #expect(registry.record(for: NameKey("ada")) === record)
            #expect(registry.record(for: NameKey("grace")) !== record)
        }
        #expect(first == nil)
        #expect(registry.count == 0)
        #expect(registry.record(for: NameKey("ada")).key == NameKey("ada"))
    }

    @Test("a record does not remove its successor when it is freed", .rule("6.1"))
    func successor() {
        let registry = IdentityRegistry(shardCount: 1)
        let record = registry.record(for: NameKey("ada"))
        let other = IdentityRecord(key: NameKey("other"), registry: nil)
        registry.forget(NameKey("ada"), ObjectIdentifier(other))
        withExtendedLifetime(record) {
            #expect(registry.count == 1)
            #expect(registry.record(for: NameKey("ada")) === record)
        }
    }

    @Test(
        "tasks that make and drop the same names see each name as one, and end",
        .rule("6.1"),
        .timeLimit(.minutes(20))
    )
    func contention() async {
        let registry = IdentityRegistry(shardCount: 2)
        let torn = await withTaskGroup(of: Int.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var torn = 0
                    for round in 0..<20_000 {
                        let name = NameKey("user-\((round &* 31 &+ worker) % 5)")
                        let one = registry.record(for: name)
                        let other = registry.record(for: name)
                        if one !== other || one.key != name { torn += 1 }
                    }
                    return torn
                }
            }
            return await group.reduce(0, +)
        }
        #expect(torn == 0)
        #expect(registry.count == 0)
    }

    @Test("memory is also freed if some names stay, which are found as before")
    func roomBesideSome() {
        let registry = IdentityRegistry(shardCount: 4)
        let staying = (0..<20).map { registry.record(for: NameKey("staying-\($0)")) }
        do {
            let records = (0..<10_000).map { registry.record(for: NameKey("user-\($0)")) }
            withExtendedLifetime(records) {}
        }
        #expect(registry.count == 20)
        #expect(registry.capacity < 200)
        for (index, record) in staying.enumerated() {
            #expect(registry.record(for: NameKey("staying-\(index)")) === record)
        }
    }

    @Test("an identity's record is freed with its last owner, including a snapshot", .rule("6.1"))
    func lastHolder() throws {
        weak var record: IdentityRecord?
        do {
            var snapshot: IdentitySnapshot?
            do {
                let identity = try Identity("last-holder@contoso.com")
                record = identity.spelling.record
                snapshot = IdentitySnapshot(of: identity)
            }
            #expect(record != nil)
            #expect(snapshot?.identity?.name == "last-holder@contoso.com")
            snapshot = nil
        }
        #expect(record == nil)
    }
}
