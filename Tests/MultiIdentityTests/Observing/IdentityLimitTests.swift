import CMultiIdentity
import Dispatch
import Foundation
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentity

@Suite("Limits on a tree of work", .serialized) struct IdentityLimitTests {
    /// A made clock for each thread.
    private final class Clocks: Sendable {
        private let times = Locked<[UInt64: UInt64]>([:])

        var now: UInt64 { times.withLock { $0[mi_thread_number()] ?? 0 } }

        func advance(milliseconds: UInt64) {
            times.withLock { $0[mi_thread_number(), default: 0] += milliseconds * 1_000_000 }
        }
    }

    private let found = FindingNotes { _ in }
    private let clocks = Clocks()

    private func work(_ milliseconds: UInt64) { clocks.advance(milliseconds: milliseconds) }

    private func limits(_ milliseconds: Int) -> IdentityLimits {
        var limits = IdentityLimits(cpu: .milliseconds(milliseconds))
        limits.clock = { [clocks] in clocks.now }
        return limits
    }

    /// Opens a scope with a limit, under the levels whose findings are noted.
    private func scope(_ milliseconds: Int, line: UInt = 1, _ body: () -> Void) {
        withIdentityLevels(found.levels) {
            withIdentity(ada, limits: limits(milliseconds), fileID: "App/Handler.swift", line: line, body)
        }
    }

    /// The line of the scope of each finding, and the milliseconds that its tree had used.
    private var excesses: [String] {
        found.all.map { finding in
            let used = finding.message.firstMatch(of: /has used ([0-9.]+ ms)/).map { String($0.1) }
            return "\(finding.site?.line ?? 0): \(used ?? finding.message)"
        }
    }

    @Test("report a scope that used more, once, at its end") func once() async throws {
        await onNewThread {
            scope(10) { work(10) }
            #expect(found.all.isEmpty)
            scope(10, line: 12) {
                work(11)
                #expect(found.all.isEmpty)
            }
        }
        let finding = try #require(found.all.first)
        #expect(found.all.count == 1)
        #expect(finding.kind == .beyondLimit)
        #expect(finding.identity == ada)
        let start = """
            work of ada@contoso.com at App/Handler.swift:12 has used 11.0 ms of processor time, over its limit of 10.0 ms; what \
            is left of it still runs.
            """
        #expect(finding.message.hasPrefix(start))
    }

    @Test("count handed-over work, what that hands over, and what outlives the scope, and report it once")
    func handedOver() async {
        let queue = IdentityQueue(label: "limited")
        await onNewThread {
            @Sendable func turn(_ left: Int) {
                work(4)
                if left > 1 { queue.async { turn(left - 1) } }
            }
            queue.base.suspend()
            scope(10) { queue.async { turn(5) } }
            #expect(found.all.isEmpty)
            queue.base.resume()
            for _ in 1...6 { queue.base.sync {} }
        }
        #expect(excesses == ["1: 12.0 ms"])
    }

    @Test("cross every boundary", arguments: Boundary.all) func crossing(_ boundary: Boundary) async {
        let queue = DispatchQueue(label: "limited")
        Origin.thread.run {
            // The scope is there for tasks.
            scope(0, line: 7) { boundary.prepare(queue) { withIdentity(grace) { work(1) } }() }
        }
        await eventually { !found.all.isEmpty }
        #expect(excesses == ["7: 1.0 ms"])
    }

    @Test("count every identity's work in the tree, and none that was captured elsewhere") func others() async throws {
        try await Revocation.whileOn { eve in
            await onNewThread {
                let elsewhere = withIdentity(ada) { IdentitySnapshot.capture() }
                scope(10) {
                    work(1)
                    elsewhere.restore { work(100) }
                    withIdentity(grace) { work(2) }
                    withIdentity(nil) { withIdentity(.nobody) { work(3) } }
                    IdentitySnapshot(of: grace).restore { work(2) }
                    let revoked = withIdentity(eve) { IdentitySnapshot.capture() }
                    IdentityRevocation.revoke(eve, for: .signedOut)
                    revoked.restore {
                        #expect(Identity.current == .nobody)
                        work(2)
                    }
                    work(1)
                }
            }
        }
        #expect(excesses == ["1: 11.0 ms"])
    }

    @Test("count for the trees around as well, and report each") func nested() async {
        await onNewThread {
            scope(10) {
                work(3)
                scope(3, line: 2) { work(4) }
                #expect(excesses == ["2: 4.0 ms"])
                work(4)
            }
        }
        #expect(excesses == ["2: 4.0 ms", "1: 11.0 ms"])
    }

    @Test("allow nothing if they are zero or negative") func zero() async {
        await onNewThread {
            scope(0) {}
            #expect(found.all.isEmpty)
            scope(0) { work(1) }
            scope(-5, line: 2) { work(1) }
        }
        #expect(excesses == ["1: 1.0 ms", "2: 1.0 ms"])
    }

    @Test("count the synchronous scopes of tasks alone") func tasks() async {
        await withIdentityLevels(found.levels) {
            await withIdentity(ada, limits: limits(10), fileID: "App/Handler.swift", line: 3) {
                work(100)
                withIdentity(grace) { work(6) }
                await Task {
                    work(100)
                    withIdentity(grace) { withIdentity(nil) { work(6) } }
                    await withIdentity(grace) {
                        await Task.yield()
                        work(100)
                    }
                }.value
            }
        }
        #expect(excesses == ["3: 12.0 ms"])
    }

    @Test("count scopes that are open at the same time, such as those of tasks") func concurrent() async {
        let snapshot = Locked(IdentitySnapshot.nothing)
        await onNewThread { scope(10) { snapshot.withLock { $0 = .capture() } } }
        let bound = snapshot.withLock { $0 }
        let (opened, closed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // Bound as in a task: the thread does not work for the limits yet.
        async let first: Void = onNewThread {
            bound.bind {
                withIdentity(grace) {
                    work(6)
                    opened.signal()
                    closed.wait()
                }
            }
        }
        await onNewThread {
            opened.wait()
            bound.bind { withIdentity(grace) { work(5) } }
            closed.signal()
        }
        await first
        #expect(excesses == ["1: 11.0 ms"])
    }

    // For the thread sanitizer.
    @Test("are shared by scopes on other threads, which end as their own scope does") func shared() async {
        let queue = IdentityQueue(label: "limited", attributes: .concurrent)
        for _ in 0..<100 {
            await onNewThread { scope(1_000) { for _ in 0..<4 { queue.async { withIdentity(grace) {} } } } }
        }
        await onNewThread { queue.base.sync(flags: .barrier) {} }
        #expect(excesses.isEmpty)
    }

    @Test("tell the response in the surroundings of an inner scope with limits") func surroundings() async {
        let bound = Locked<[Identity?]>([])
        await onNewThread {
            found.levels.diagnostics.response = .report { _ in bound.withLock { $0.append(Identity.current) } }
            withIdentityLevels(found.levels) {
                withIdentity(ada, limits: limits(0)) {
                    work(1)
                    withIdentity(grace, limits: limits(0)) { work(1) }
                }
            }
        }
        #expect(bound.withLock { $0 } == [ada, ada])
    }

    @Test("do not count what the response does, which may open scopes with limits") func response() async {
        await onNewThread {
            found.levels.diagnostics.response = .report { finding in
                found.notes.add(finding)
                if found.all.count == 1 { scope(5, line: 3) { work(50) } }
            }
            defer { found.levels.diagnostics.response = .report { _ in } }  // it retains the levels, and so itself
            scope(10) {
                scope(0, line: 2) { work(4) }
                work(4)
            }
        }
        #expect(excesses == ["2: 4.0 ms", "3: 50.0 ms"])
    }

    @Test("do not grow with trees within trees, and forget those that were reported") func bounded() async {
        await onNewThread {
            for (milliseconds, kept) in [(1_000, 32), (0, 1)] {
                var snapshot = IdentitySnapshot(of: nil)
                for _ in 0..<100 {
                    snapshot = snapshot.restore {
                        withIdentityLevels(found.levels) {
                            withIdentity(ada, limits: limits(milliseconds)) {
                                work(1)
                                return IdentitySnapshot.capture()
                            }
                        }
                    }
                }
                #expect(snapshot.frame?.origin.contents.limits?.all.count == kept)
            }
        }
        #expect(found.all.count == 100)
    }

    @Test("are measured by the thread's processor time, without waits") func measured() async {
        await onNewThread {
            withIdentityLevels(found.levels) {
                withIdentity(ada, limits: .init(cpu: .milliseconds(20))) { _ = usleep(40_000) }
                withIdentity(ada, limits: .init(cpu: .seconds(1_000_000_000_000))) {
                    IdentityAccountTests.work(milliseconds: 1)
                }
                #expect(found.all.isEmpty)
                withIdentity(ada, limits: .init(cpu: .milliseconds(5))) { IdentityAccountTests.work(milliseconds: 6) }
            }
        }
        #expect(found.all.count == 1)
    }

    @Test("cost nothing once no work of a tree is left") func off() async {
        await onNewThread {
            var snapshot: IdentitySnapshot?
            scope(10) { snapshot = IdentitySnapshot.capture() }
            #expect(BindingFeatures.inUse.contains(.limits))
            withExtendedLifetime(snapshot) {}
            snapshot = nil
        }
        // What other tests handed over may still be there.
        await eventually { !BindingFeatures.inUse.contains(.limits) }
    }
}
