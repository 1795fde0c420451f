import CMultiIdentity
import Foundation
import Testing

@testable import MultiIdentity

/// Each runs in its own process, since the runtime's abilities are checked before anything is bound.
@Suite("If other code copies bindings, and binds them on any thread", .rule("3.5")) struct CopiedBindingsTests {
    private static func everyone() throws -> (ada: Identity, grace: Identity) {
        (try Identity("ada@contoso.com"), try Identity("grace@contoso.com"))
    }

    @Test("the innermost binding counts for code there, carried work, and the tasks of both", arguments: [false, true])
    func innermost(_ hasRunWorkBefore: Bool) async {
        if hasRunWorkBefore {
            await #expect(processExitsWith: .success) { try await Self.look(onAThreadThatHasRunWork: true) }
        } else {
            await #expect(processExitsWith: .success) { try await Self.look(onAThreadThatHasRunWork: false) }
        }
    }

    private static func look(onAThreadThatHasRunWork hasRunWork: Bool) async throws {
        CopiedBindings.areExpected()
        let (ada, grace) = try everyone()
        let library = withIdentity(ada) { CopiedBindings.here }
        let looks = await onNewThread { () -> [WholeLook] in
            var looks: [WholeLook] = []
            let item = withIdentity(grace) { DispatchWorkItem.propagatingIdentity {} }
            if hasRunWork {
                OnThisThread.runHanded(by: grace) {}
                item.perform()
            }
            library.withValues {
                looks.append(WholeLook())
                OnThisThread.runHanded(by: grace) { looks.append(WholeLook()) }
                looks.append(WholeLook())
                IdentitySnapshot(of: grace).restore { looks.append(WholeLook()) }
                OnThisThread.runHanded(by: nil) { looks.append(WholeLook()) }
                withIdentity(grace) { looks.append(WholeLook()) }
                withIdentity(nil) { looks.append(WholeLook()) }
                OnThisThread.runHanded(by: ada) { looks.append(WholeLook()) }
                looks.append(WholeLook())
            }
            looks.append(WholeLook())
            return looks
        }
        let expected = [ada, grace, ada, grace, nil, grace, nil, ada, ada, nil]
        for (look, identity) in zip(looks, expected) { try #require(look.tells(identity), "\(looks)") }
        try #require(looks.count == expected.count)
    }

    @Test("an open scope, item or batch is restored when the copied bindings in it have ended")
    func around() async {
        await #expect(processExitsWith: .success) {
            CopiedBindings.areExpected()
            let (ada, grace) = try Self.everyone()
            let library = withIdentity(ada) { CopiedBindings.here }
            let looks = await onNewThread { () -> [WholeLook] in
                let looks = Notes<WholeLook>()
                @Sendable func bind() {
                    looks.add(WholeLook())
                    library.withValues { looks.add(WholeLook()) }
                    looks.add(WholeLook())
                }
                withIdentity(grace) { bind() }
                withIdentity(grace) { DispatchWorkItem.propagatingIdentity { bind() } }.perform()
                let batches = IdentityQueue(label: "batches", draining: .inBatches)
                withIdentity(grace) { batches.async { bind() } }
                batches.sync { looks.add(WholeLook()) }
                return looks.all
            }
            let expected = [grace, ada, grace, grace, ada, grace, grace, ada, grace, nil]
            for (look, identity) in zip(looks, expected) { try #require(look.tells(identity), "\(looks)") }
            try #require(looks.count == expected.count)
        }
    }

    @Test("no worker keeps a binding, so that a copy there does not depend on earlier work")
    func nothingLasts() async {
        await #expect(processExitsWith: .success) {
            CopiedBindings.areExpected()
            let (ada, _) = try Self.everyone()
            let found = await onNewThread { () -> [Bool] in
                var found = [CopiedBindings.here.holdsOurs]
                OnThisThread.runHanded(by: ada) { found.append(CopiedBindings.here.holdsOurs) }
                return found + [CopiedBindings.here.holdsOurs, OnThisThread.hasLastingBinding]
            }
            try #require(found == [false, true, false, false])
        }
    }
}
