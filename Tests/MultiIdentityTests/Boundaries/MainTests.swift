import Dispatch
import Testing

@testable import MultiIdentity

@Suite("On main, the UI level counts") struct MainTests {
    /// Returns the identities that UI work and file work count as, under custom levels with the system's main.
    private static func effective(_ levels: IdentityLevels) -> [Identity?] {
        withIdentityLevels(levels) {
            EffectiveIdentity.Purpose.allCases.map { EffectiveIdentity.current(for: $0).identity }
        }
    }

    @Test("for the main actor, whatever thread runs it", .rule("2.3"))
    @MainActor
    func mainActor() async {
        #expect(MainProbe.system())
        #expect(Self.effective(IdentityLevels(process: ada, ui: grace)) == [grace, ada])
        await Task.yield()
        #expect(MainProbe.system())
    }

    @Test("and not for other threads, queues and tasks", .rule("2.3"))
    func elsewhere() async {
        let levels = IdentityLevels(process: ada, ui: grace)
        #expect(!MainProbe.system())
        #expect(Self.effective(levels) == [ada, ada])
        #expect(await onNewThread { Self.effective(levels) } == [ada, ada])
        #expect(await onNewThread { MainProbe.system() } == false)
        #expect(await Boundary.queues[0].inWork(of: nil) { _ in MainProbe.system() } == false)
    }

    @Test(
        "for the main queue, plain or carrying, and a queue that targets it",
        .rule("2.3"),
        .guide("process, UI and thread level"),
        arguments: Boundary.mainQueue
    )
    func mainQueue(_ boundary: Boundary) async {
        let levels = IdentityLevels(process: ada, ui: grace)
        let seen = await boundary.inWork(of: nil, under: levels) { _ in
            EffectiveIdentity.Purpose.allCases.map { EffectiveIdentity.current(for: $0).identity }
        }
        #expect(seen == [grace, ada])
        let plain = await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume(returning: MainProbe.system()) }
        }
        #expect(plain)
    }

    @Test("for work that main code runs through sync on a queue, also nested and with a barrier", .rule("2.3"))
    @MainActor
    func syncFromMain() {
        let queue = IdentityQueue(label: "storage")
        let concurrent = IdentityQueue(label: "cache", attributes: .concurrent)
        #expect(queue.sync { MainProbe.system() })
        #expect(queue.sync { concurrent.sync(flags: .barrier) { MainProbe.system() } })
        #expect(IdentityQueue(wrapping: queue.base, handle: nil).sync { MainProbe.system() })
        var seen = false
        queue.sync(execute: DispatchWorkItem { seen = MainProbe.system() })
        #expect(seen)
        #expect(queue.sync { Self.effective(IdentityLevels(process: ada, ui: grace)) } == [grace, ada])
        #expect(MainProbe.system(), "afterwards as before")
    }

    @Test("but not for work that main code hands over to run later", .rule("2.3"))
    @MainActor
    func asyncFromMain() async {
        let queue = IdentityQueue(label: "storage")
        let later = await withCheckedContinuation { continuation in
            queue.sync { queue.async { continuation.resume(returning: MainProbe.system()) } }
        }
        #expect(!later)
    }

    @Test("and the thread that ran it is restored afterwards, also after an error", .rule("2.3"))
    func onBehalfOfMain() async {
        let seen = await onNewThread { () -> [Bool] in
            var seen = [MainProbe.system()]
            MainProbe.onBehalfOfMain {
                seen.append(MainProbe.system())
                MainProbe.onBehalfOfMain { seen.append(MainProbe.system()) }
                seen.append(MainProbe.system())
                IdentityQueue(label: "storage").sync { seen.append(MainProbe.system()) }
                seen.append(MainProbe.wouldBeLostInSync)
            }
            return seen + [MainProbe.system()]
        }
        #expect(seen == [false, true, true, true, true, false, false])
        struct Refused: Error {}
        let afterwards = await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                let queue = IdentityQueue(label: "storage")
                try? queue.sync { () throws(Refused) in throw Refused() }
                let before = MainProbe.system()
                DispatchQueue.global().async { continuation.resume(returning: [before, MainProbe.system()]) }
            }
        }
        #expect(afterwards == [true, false])
    }

    @Test("without a run loop: while main is busy, the check still works", .rule("2.3"), .timeLimit(.minutes(20)))
    func busyMain() async {
        let asked = DispatchSemaphore(value: 0)
        let busy = DispatchSemaphore(value: 0)
        DispatchQueue.main.async {
            busy.signal()
            asked.wait()
        }
        let answer = await onNewThread {
            busy.wait()
            defer { asked.signal() }
            return [MainProbe.system(), IdentityQueue(label: "storage").sync { MainProbe.system() }]
        }
        #expect(answer == [false, false])
    }

    @Test("unless a custom probe decides, which is called for each check, where the work runs", .rule("2.3"))
    func ownProbe() async {
        let asked = Notes<Identity?>()
        let probe: @Sendable () -> Bool = {
            asked.add(.current)
            return asked.all.count > 1
        }
        let levels = IdentityLevels(ui: ada, mainProbe: probe)
        let seen = await onNewThread {
            withIdentityLevels(levels) {
                let purposes: [EffectiveIdentity.Purpose] = [.ui, .ui, .files]
                return purposes.map { EffectiveIdentity.current(for: $0).identity }
            }
        }
        #expect(seen == [nil, ada, nil])
        #expect(asked.all == [nil, nil], "for files main does not matter")
        let never = IdentityLevels(ui: ada, mainProbe: { false })
        let onMain = await MainActor.run { withIdentityLevels(never) { EffectiveIdentity.current(for: .ui).identity } }
        #expect(onMain == nil, "on the system's main, which this probe denies")
    }

    @Test("and sync on main returns values, and errors with their type")
    func syncOnMain() async {
        struct Refused: Error, Equatable {}
        let seen = Notes<Bool>()
        let value = await onNewThread { withIdentity(ada) { IdentityQueue.main.sync { (7, Identity.current) } } }
        #expect(value == (7, ada))
        await onNewThread {
            do throws(Refused) {
                try IdentityQueue.main.sync { () throws(Refused) in throw Refused() }
            } catch { seen.add(error == Refused()) }
        }
        #expect(seen.all == [true])
    }
}
