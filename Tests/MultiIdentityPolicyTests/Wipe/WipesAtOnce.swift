import Foundation
import MultiIdentity
import MultiIdentityProtection
import Testing

@Suite("Simultaneous wipes", .rule("13.6")) struct WipesAtOnce {
    let folder = TemporaryFolder()
    let scene: WipeScene

    init() throws { scene = try WipeScene(folder.path) }

    @Test("of one account are one wipe") func ofOneAccountAreOne() async throws {
        let ada = scene.account()
        let (isHandling, latch) = (Gate(), Gate())
        let wipe = try scene.wipe { [scene] _ in
            scene.note("handled")
            isHandling.open()
            await latch.wait()
            return .notRemoved
        }
        let first = Task { try await wipe.wipe(ada) }
        await isHandling.wait()
        let hasJoined = Gate()
        // In another spelling; the account need not be managed any more once its wipe is in progress.
        scene.left.withLock { _ = $0.insert(ada) }
        let second = Task {
            hasJoined.open()
            return try await wipe.wipe(Identity(ada.name.uppercased()))
        }
        await hasJoined.wait()
        #expect(try await wipe.status().map(\.state) == [.running])
        latch.open()
        let reports = try await [first.value, second.value]
        #expect(reports[0].isComplete)
        if scene.events.withLock({ $0.count }) == 1 { #expect(reports[0] == reports[1]) }
    }

    @Test("of one account in another process are refused") func ofOneAccountElsewhereAreRefused() async throws {
        let ada = scene.account()
        let (isHandling, latch) = (Gate(), Gate())
        let wipe = try scene.wipe { _ in
            isHandling.open()
            await latch.wait()
            return .notRemoved
        }
        let first = Task { try await wipe.wipe(ada) }
        await isHandling.wait()
        let other = try scene.wipe { _ in
            Issue.record("The other one is at it.")
            return .notRemoved
        }
        await expect(throws: ProtectionError.Code.inUse) { try await other.wipe(ada) }
        #expect(try await other.status().map(\.state) == [.inUse])
        #expect(try await other.resume().map(\.state) == [.inUse])
        latch.open()
        #expect(try await first.value.isComplete)
        #expect(try await other.resume().isEmpty)
        #expect(try await other.status().map(\.state) == [.complete])
        #expect(IdentityRevocation.readmit(ada, after: .wiped))
    }

    @Test("continue without their callers") func goOnWithoutWhoAskedForThem() async throws {
        let ada = scene.account()
        let (isHandling, latch) = (Gate(), Gate())
        let wipe = try scene.wipe { _ in
            isHandling.open()
            await latch.wait()
            #expect(!Task.isCancelled)
            return .notRemoved
        }
        let asking = Task { try await wipe.wipe(ada) }
        await isHandling.wait()
        asking.cancel()
        await expect(throws: ProtectionError.Code.stoppedWaiting) { try await asking.value }
        let joining = Task { try await wipe.wipe(ada) }
        latch.open()
        #expect(try await joining.value.isComplete)
        #expect(scene.isGone(ada))
    }

    @Test("cannot be requested by their own handler") func areNotAskedForByTheirOwnHandler() async throws {
        let ada = scene.account()
        let own = Locked<IdentityWipe?>(nil)
        let wipe = try scene.wipe { _ in
            await expect(throws: ProtectionError.Code.wouldDeadlock) { try await own.withLock { $0 }?.wipe(ada) }
            return .notRemoved
        }
        own.withLock { $0 = wipe }
        #expect(try await wipe.wipe(ada).isComplete)
        own.withLock { $0 = nil }
    }

    @Test("of many accounts each remove their own data") func ofManyAccountsRemoveEachItsOwn() async throws {
        let accounts = (0..<12).map { _ in scene.account() }
        let bob = scene.account()
        let wipe = try scene.wipe()
        let reports = try await withThrowingTaskGroup(of: WipeReport.self) { group in
            for account in accounts { group.addTask { try await wipe.wipe(account) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reports.allSatisfy { $0.isComplete && $0.files == 5 })
        #expect(Set(reports.map(\.identity)) == Set(accounts))
        #expect(accounts.allSatisfy(scene.isGone))
        #expect(scene.isUntouched(bob))
    }

    @Test("of an account that came back wipe again") func ofWhoCameBackWipeAgain() async throws {
        let ada = scene.account()
        let wipe = try scene.wipe()
        #expect(try await wipe.wipe(ada).files == 5)
        #expect(IdentityRevocation.readmit(ada, after: .wiped))
        scene.documents.add(1, of: ada)
        let again = try await wipe.wipe(ada)
        #expect(again.files == 1)
        #expect(again.runs == 1)
        #expect(scene.journalNames.count == 1)
    }
}
