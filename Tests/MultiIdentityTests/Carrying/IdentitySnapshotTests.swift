import Dispatch
import MultiIdentity
import Testing

@Suite("A snapshot carries the thread level elsewhere") struct IdentitySnapshotTests {
    private struct Refused: Error, Equatable {}

    static let identities: [Identity?] = [Users.ada, .nobody, nil]

    @Test("it is one word")
    func size() {
        #expect(MemoryLayout<IdentitySnapshot>.size == MemoryLayout<UnsafeRawPointer>.size)
        #expect(MemoryLayout<IdentitySnapshot>.stride == MemoryLayout<UnsafeRawPointer>.size)
    }

    @Test(
        "restored over any binding, it is bound, and the former binding is restored after it",
        .rule("4.3"),
        arguments: identities,
        identities
    )
    func restores(_ captured: Identity?, over before: Identity?) async {
        let snapshot = withIdentity(captured) { IdentitySnapshot.capture() }
        let onThread = await onNewThread {
            withIdentity(before) { [snapshot.restore { Identity.current }, Identity.current] } + [Identity.current]
        }
        #expect(onThread == [captured, before, nil])
        let inTask = await withIdentity(before) { () async -> [Identity?] in
            let inside = await snapshot.restore { () async -> Identity? in
                await Task.yield()
                return Identity.current
            }
            return [inside, Identity.current]
        }
        #expect(inTask == [captured, before])
    }

    @Test("after an error, of its own type, the former binding is restored", arguments: identities)
    func throwing(_ captured: Identity?) async throws {
        let snapshot = IdentitySnapshot(of: captured)
        let seen = await onNewThread {
            withIdentity(grace) { () -> [Identity?] in
                do throws(Refused) {
                    try snapshot.restore { () throws(Refused) in throw Refused() }
                } catch { return error == Refused() ? [Identity.current] : [] }
                return []
            }
        }
        #expect(seen == [grace])
        await withIdentity(grace) {
            do throws(Refused) {
                try await snapshot.restore { () async throws(Refused) in throw Refused() }
            } catch { #expect(error == Refused()) }
            #expect(Identity.current == grace)
        }
    }

    @Test("taken for an owner, it has the owner's spelling, also in a scope of the same name in another spelling")
    func spelling() throws {
        let shouted = try Identity(ada.name.uppercased())
        for (owner, scope) in [(ada, shouted), (shouted, ada)] {
            let snapshot = withIdentity(scope) { IdentitySnapshot.capture(for: WorkOwner(owner)) }
            #expect(snapshot.identity?.name == owner.name)
        }
    }

    @Test("everything that only a snapshot retains is intact when it is restored")
    func soleHolder() async throws {
        let name = "only-a-snapshot-\(UInt64.random(in: 0 ... .max))@contoso.com"
        let snapshot = IdentitySnapshot(of: try Identity(name))
        for number in 0..<1_000 { _ = try Identity("somebody-else-\(number)@contoso.com") }
        #expect(await onNewThread { snapshot.restore { Identity.current?.name } } == name)
    }
}
