import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityProtection
import Testing

@Suite("A wipe") struct AWipe {
    let folder = TemporaryFolder()
    let scene: WipeScene

    init() throws { scene = try WipeScene(folder.path) }

    @Test("removes everything of one account and nothing of another", .rule("13.1"), .guide("selective wipe"))
    func removesAllOfOneAccountAndNothingOfAnother() async throws {
        let (ada, bob) = (scene.account(), scene.account())
        let report = try await scene.wipe(yields: true).wipe(ada)
        #expect(report.isComplete)
        #expect(report.failures.isEmpty)
        #expect(scene.isGone(ada))
        #expect(scene.isUntouched(bob))
        #expect(!IdentityRevocation.isRevoked(bob))
        #expect(report.identity == ada)
        #expect(report.files == 5)
        #expect(report.bytes == 40)
        #expect(report.isCountExact)
        #expect(report.keys == .destroyed)
        #expect(report.keyCount == 1)
        #expect(report.runs == 1)
        #expect(report.wasManaged)
        #expect(report.handled == .notRemoved)
        #expect(report.seconds.count == WipePhase.allCases.count)
    }

    @Test("calls the handler off main, with nothing bound, before it removes any file", .rule("13.1"))
    func callsTheHandlerAwayFromMainWithNothingBoundAndBeforeAnyFileGoes() async throws {
        let ada = scene.account()
        let wipe = try scene.wipe { [scene] identity in
            scene.note(
                "\(identity == ada) \(isOnMainThread()) \(Identity.current == nil)"
                    + " \(scene.isUntouched(ada)) \(IdentityRevocation.isRevoked(ada))"
            )
            return .notRemoved
        }
        _ = try await Task { @MainActor in
            try await withIdentity(ada) { () async throws in try await wipe.wipe(ada) }
        }.value
        #expect(scene.events.withLock { $0 } == ["true false true true true"])
    }

    @Test("admits nothing new until it is complete and the account readmitted", .rule("13.2"))
    func admitsNothingNewUntilItIsCompleteAndReadmitted() async throws {
        let ada = scene.account()
        let wipe = try scene.wipe { _ in
            expect(throws: IdentityError.Code.revoked) { try IdentityRevocation.admit(ada) }
            #expect(!IdentityRevocation.readmit(ada, after: .wiped))
            return .notRemoved
        }
        #expect(try await wipe.wipe(ada).isComplete)
        #expect(IdentityRevocation.all[ada] == .wiped)
        #expect(IdentityRevocation.readmit(ada, after: .wiped))
        try IdentityRevocation.admit(ada)
    }

    #if compiler(>=6.3)  // an exit test that captures
    @Test("admits nothing new in the next process either, until the account is readmitted", .rule("13.2"))
    func admitsNothingNewInTheNextProcess() async throws {
        let (path, ada) = (folder.path, scene.account())
        await #expect(processExitsWith: .success) { [path = path as String, name = ada.name as String] in
            let report = try await WipeScene(path).wipe().wipe(Identity(name))
            #expect(report.isComplete)
        }
        for isReadmitted in [false, true] {
            await #expect(processExitsWith: .success) {
                [path = path as String, name = ada.name as String, isReadmitted = isReadmitted as Bool] in
                let ada = try Identity(name)
                let wipe = try WipeScene(path).wipe()
                #expect(IdentityRevocation.hasDeparted(ada) == !isReadmitted)
                #expect(IdentityRevocation.readmit(ada, after: .wiped) == !isReadmitted)
                #expect(try await wipe.status().map(\.state) == [.complete])
            }
        }
        // A readmission after one wipe does not count for the next.
        #expect(try await scene.wipe().wipe(ada).isComplete)
        await #expect(processExitsWith: .success) { [path = path as String, name = ada.name as String] in
            _ = try WipeScene(path).wipe()
            #expect(try IdentityRevocation.hasDeparted(Identity(name)))
        }
    }
    #endif

    @Test("is refused for unset, nobody and unknown accounts", .rule("13.1"))
    func isRefusedForUnsetNobodyAndStrangers() async throws {
        let eve = Users.named("eve-\(UUID())@example.com")
        scene.documents.add(3, of: eve)
        let wipe = try scene.wipe { _ in
            Issue.record("No handler is called.")
            return .notRemoved
        }
        for (identity, code) in [(nil, ProtectionError.Code.nobody), (Identity.nobody, .nobody), (eve, .notManaged)] {
            let error = await #expect(throws: ProtectionError.self) { try await wipe.wipe(identity) }
            #expect(error?.code == code)
            let refused = await #expect(throws: ProtectionError.self) { try await wipe.dryRun(identity) }
            #expect(refused?.code == code)
        }
        #expect(scene.files(of: eve) == 3)
        #expect(!IdentityRevocation.isRevoked(eve))
        #expect(scene.journalNames.isEmpty)
    }

    @Test("removes everything of an account that has keys, managed or not", .rule("13.1"))
    func removesAllOfAnAccountThatHasKeys() async throws {
        let eve = Users.named("eve-\(UUID())@example.com")
        scene.fill(eve)
        #expect(try await scene.wipe().dryRun(eve).keyCount == 1)
        let report = try await scene.wipe().wipe(eve)
        #expect(report.isComplete)
        #expect(!report.wasManaged)
        #expect(scene.isGone(eve))
    }

    @Test("keeps the keys if the handler throws", .rule("13.3"))
    func keepsTheKeysWhereTheHandlerThrows() async throws {
        let ada = scene.account()
        let isBroken = Locked(true)
        let wipe = try scene.wipe { _ in
            if isBroken.withLock({ $0 }) { throw Unavailable() }
            return .notRemoved
        }
        let report = try await wipe.wipe(ada)
        #expect(!report.isComplete)
        #expect(report.handled == nil)
        #expect(report.failures.map(\.subject) == ["the program's handler"])
        #expect(report.keys == .kept)
        #expect(report.keyCount == nil)
        #expect(scene.files(of: ada) == 0)
        #expect(scene.keys.has(ada))
        #expect(!IdentityRevocation.readmit(ada, after: .wiped))

        isBroken.withLock { $0 = false }
        let again = try await wipe.wipe(ada)
        #expect(again.isComplete)
        #expect(again.runs == 2)
        #expect(again.files == 5)
        #expect(scene.isGone(ada))
    }

    @Test("keeps the keys if a file remains", .rule("13.3")) func keepsTheKeysWhereAFileStays() async throws {
        let ada = Users.named("\(UUID())@contoso.com")
        let scene = try WipeScene(folder.path, stubborn: [ada.name + "~2"])
        scene.fill(ada)
        let report = try await scene.wipe().wipe(ada)
        #expect(!report.isComplete)
        #expect(report.failures.map(\.subject) == [ada.name + "~2"])
        #expect(report.failureCount == 1)
        #expect(report.files == 4)
        #expect(scene.files(of: ada) == 1)
        #expect(scene.keys.has(ada))
        #expect(try await scene.wipe().status().map(\.state) == [.unfinished])
    }

    @Test("keeps the keys if a storage cannot be searched", .rule("13.3"))
    func keepsTheKeysWhereAStorageCannotBeGoneThrough() async throws {
        let ada = scene.account()
        try FileManager.default.removeItem(atPath: scene.caches.path)
        let report = try await scene.wipe().wipe(ada)
        #expect(report.failures.map(\.subject) == ["\(scene.caches.path): \(scene.caches.path)"])
        #expect(scene.documents.names(of: ada).isEmpty)
        #expect(scene.keys.has(ada))
    }

    @Test("says that the keys remain if they cannot be destroyed", .rule("13.3"))
    func saysThatTheKeysAreLeftWhereTheyCannotBeDestroyed() async throws {
        let ada = scene.account()
        scene.keys.isBroken.withLock { $0 = true }
        let wipe = try scene.wipe()
        let report = try await wipe.wipe(ada)
        #expect(!report.isComplete)
        #expect(report.keys == .kept)
        #expect(report.keyCount == 1)
        #expect(report.failures.map(\.subject) == ["the keys of \(ada)"])
        scene.keys.isBroken.withLock { $0 = false }
        #expect(try await wipe.wipe(ada).isComplete)
        #expect(scene.isGone(ada))
    }

    @Test("checks whether the handler removed the files that it claims", .rule("13.1"))
    func looksWhetherTheHandlerRemovedTheFilesThatItSaysItDid() async throws {
        let ada = scene.account()
        let isHonest = Locked(false)
        let wipe = try scene.wipe { [scene] _ in
            if isHonest.withLock({ $0 }) {
                for storage in [scene.documents, scene.caches] {
                    for name in storage.names(of: ada) {
                        try FileManager.default.removeItem(atPath: "\(storage.path)/\(name)")
                    }
                }
            }
            return .removed
        }
        let report = try await wipe.wipe(ada)
        #expect(!report.isComplete)
        #expect(report.failureCount == 5)
        #expect(report.files == 0)
        #expect(scene.isUntouched(ada))

        isHonest.withLock { $0 = true }
        let honest = try await wipe.wipe(ada)
        #expect(honest.isComplete)
        #expect(honest.handled == .removed)
        #expect(scene.isGone(ada))
    }

    @Test("keeps no more failures than fit into a report") func keepsNoMoreFailuresThanAReportHolds() async throws {
        let ada = scene.account()
        scene.documents.add(1_500, of: ada)
        let report = try await scene.wipe { _ in .removed }.wipe(ada)
        #expect(report.failures.count == 1_000)
        #expect(report.failureCount == 1_502)
        #expect(report.description.hasSuffix("and 502 more"))
        #expect(try await scene.wipe().status().first?.report == report)
    }

    @Test("reports its progress") func tellsHowFarItIs() async throws {
        let ada = scene.account()
        let seen = Locked<[WipeProgress]>([])
        _ = try await scene.wipe().wipe(ada) { progress in seen.withLock { $0.append(progress) } }
        // The caller joins a wipe that may already be revoking.
        let phases = seen.withLock { $0.map(\.phase) }
        let inOrder = WipePhase.allCases.filter(phases.contains)
        #expect(phases.filter { $0 == .removing }.count >= 1)
        #expect(phases.enumerated().allSatisfy { $0 == 0 || phases[$0 - 1] == $1 || !phases.prefix($0).contains($1) })
        #expect(inOrder.suffix(4) == WipePhase.allCases.suffix(4))
        #expect(seen.withLock { $0.last?.files } == 5)
    }

    @Test("reports in a form that other programs can read") func reportsInAFormThatOtherProgramsRead() async throws {
        let ada = scene.account()
        let wipe = try scene.wipe { _ in throw Unavailable() }
        let report = try await wipe.wipe(ada)
        #expect(try JSONDecoder().decode(WipeReport.self, from: JSONEncoder().encode(report)) == report)
        #expect(try await wipe.status().first?.report == report)
    }

    struct Unavailable: Error {}
}

/// In a separate function: a task may not ask directly.
func isOnMainThread() -> Bool { Thread.isMainThread }
