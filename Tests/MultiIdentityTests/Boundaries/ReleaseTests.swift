import Dispatch
import Foundation
import MultiIdentityTesting
import Testing

@testable import MultiIdentity

@Suite("Captures of work are released as soon as it has run, or will never run") struct ReleaseTests {
    /// Lets `body` take over `farewell` on a new thread; its own closure then no longer retains it.
    ///
    /// A thread's closure releases its captures at the very end of the thread, after libdispatch has freed the thread's data;
    /// using Dispatch there, such as by resuming a continuation, corrupts the heap (Linux, 6.3.1).
    private func handToNewThread(
        _ farewell: Farewell,
        _ body: @escaping @Sendable (Farewell) -> Void,
        thenLetGoAnd finish: @escaping @Sendable () -> Void = {}
    ) {
        let luggage = Locked<Farewell?>(farewell)
        Thread.detachNewThread {
            func unpack() { if let farewell = luggage.take() { body(farewell) } }
            unpack()
            finish()
        }
    }

    /// Hands over work that captures `farewell` and runs only when the caller has released it.
    private func handOver(_ boundary: Boundary, as caller: Identity?, _ farewell: Farewell) {
        let callerHasLetGo = DispatchSemaphore(value: 0)
        handToNewThread(farewell) { farewell in
            let queue = DispatchQueue(label: "boundary")
            withIdentity(caller) {
                boundary.prepare(queue) {
                    callerHasLetGo.wait()
                    withExtendedLifetime(farewell) {}
                }()
            }
        } thenLetGoAnd: {
            callerHasLetGo.signal()
        }
    }

    // Tasks retain their captures until they are destroyed, and start when the pool decides; handlers are released where they
    // were triggered: they have their own test.
    static let ofTasks = Boundary.tasks + Boundary.callbacks
    static let ofDispatch = Boundary.keepingWork.filter { boundary in
        !ofTasks.contains { $0.name == boundary.name }
    }

    @Test("outside the work's scope", .rule("6.2"), arguments: ofDispatch)
    func released(_ boundary: Boundary) async {
        let outcome = await Farewell.outcome { handOver(boundary, as: ada, $0) }
        #expect(outcome == .released(whileBound: nil))
    }

    @Test(
        "with a deinit that may use this package, wherever it is released",
        .timeLimit(.minutes(20)),
        arguments: Boundary.keepingWork
    )
    func lastWords(_ boundary: Boundary) async throws {
        let said = Notes<Identity?>()
        await withCheckedContinuation { continuation in
            let farewell = Farewell { outer in
                // Everything that takes a lock or binds: a deadlock or a damaged mirror would show here.
                let levels = IdentityLevels(process: try? Identity("last-words@contoso.com"))
                levels.process = nil
                let inside = withIdentity(grace) {
                    [IdentitySnapshot.capture().restore { Identity.current }, .current]
                }
                let effective = withIdentityLevels(levels) { EffectiveIdentity.current(for: .ui).identity }
                let isUnchanged = effective == outer && Identity.current == outer
                for identity in inside + [isUnchanged ? grace : nil] { said.add(identity) }
                withIdentity(grace) { IdentityQueue.global().async { continuation.resume() } }
            }
            handOver(boundary, as: ada, farewell)
        }
        #expect(said.all == [grace, grace, grace])
    }

    @Test("with the identity, of which no record is left", .rule("6.2"), arguments: Boundary.all)
    func record(_ boundary: Boundary) async throws {
        #expect(try await BoundaryPromise.releasesWhatHasRun.check(on: boundary.conforming) == .kept)
    }

    @Test("of a task, when the task ends", .rule("6.2"), arguments: ofTasks)
    func task(_ boundary: Boundary) async {
        let outcome = await Farewell.outcome { farewell in
            withIdentity(ada) {
                boundary.prepare(DispatchQueue(label: "boundary")) { withExtendedLifetime(farewell) {} }()
            }
        }
        #expect(outcome != .leaked)
    }

    @Test("of an item that was never run", .rule("6.2"))
    func droppedItem() async {
        let outcome = await Farewell.outcome { farewell in
            _ = withIdentity(ada) { DispatchWorkItem.propagatingIdentity { withExtendedLifetime(farewell) {} } }
        }
        #expect(outcome == .released(whileBound: nil))
    }

    @Test("of a closure that was wrapped and dropped, also of a box", .rule("6.2"))
    func droppedClosure() async {
        #expect(
            await Farewell.outcome { farewell in
                let _: @Sendable () -> Void = IdentitySnapshot(of: ada).wrap { withExtendedLifetime(farewell) {} }
            } == .released(whileBound: nil)
        )
        #expect(
            await Farewell.outcome { farewell in
                withIdentity(ada) {
                    _ = WorkBox({ withExtendedLifetime(farewell) {} }, BoundaryCapture(at: .async))
                }
            } == .released(whileBound: nil)
        )
    }

    @Test("with the reference that was carried, if the worker already has the same identity")
    func sameIdentity() async {
        let isGone = await onNewThread { () -> Bool in
            weak var spelling: IdentitySpelling?
            if let passing = try? Identity("passing@contoso.com") {
                spelling = passing.spelling
                withIdentity(passing) {
                    WorkBox.runGivenUp(WorkBox({}, BoundaryCapture(at: .async)).givenUp())
                }
            }
            return spelling == nil
        }
        #expect(isGone)
    }

    @Test("with the carried custom levels, when the worker's are restored")
    func ownLevels() async {
        let gone = await onNewThread { () -> [Identity?] in
            let gone = Notes<Identity?>()
            func handedOver() -> UnsafeMutableRawPointer {
                let farewell = Farewell { gone.add($0) }
                let levels = IdentityLevels(mainProbe: { withExtendedLifetime(farewell) { false } })
                return withIdentityLevels(levels) {
                    withIdentity(ada) { WorkBox({}, BoundaryCapture(at: .async)).givenUp() }
                }
            }
            WorkBox.runGivenUp(handedOver())
            return gone.all
        }
        #expect(gone == [nil])
    }

    @Test("before a group's wait returns, as in plain Dispatch", .rule("4.12", "6.2"))
    func group() async {
        let queues = [
            IdentityQueue(label: "group"), IdentityQueue(label: "batches", draining: .inBatches),
            IdentityQueue(wrapping: DispatchQueue(label: "group"), handle: nil),
        ]
        for queue in queues {
            let isGone = await onNewThread { () -> Bool in
                let gone = Notes<Identity?>()
                let group = DispatchGroup()
                let callerHasLetGo = DispatchSemaphore(value: 0)
                func submit() {
                    let farewell = Farewell { gone.add($0) }
                    withIdentity(ada) {
                        queue.async(group: group) {
                            callerHasLetGo.wait()
                            withExtendedLifetime(farewell) {}
                        }
                    }
                }
                submit()
                callerHasLetGo.signal()
                return withIdentity(grace) {
                    group.wait()
                    return gone.all == [nil]
                }
            }
            #expect(isGone)
        }
    }

    #if canImport(Glibc)
    @Test(
        "with the memory of the hand-over, whether the work has run or was dropped",
        .rule("6.2"),
        arguments: [true, false]
    )
    func memory(_ runs: Bool) async {
        if runs {
            await #expect(processExitsWith: .success) { try Self.expectNoGrowth { WorkBox.runGivenUp($0.givenUp()) } }
        } else {
            await #expect(processExitsWith: .success) { try Self.expectNoGrowth { _ = consume $0 } }
        }
    }

    /// Disposes of a thousand pieces of work that nothing else allocates for.
    private static func expectNoGrowth(_ doAway: (consuming WorkBox) -> Void) throws {
        func doAwayWithMany() {
            for number in 0..<1_000 {
                withIdentity(number % 2 == 0 ? ada : nil) {
                    doAway(WorkBox({}, BoundaryCapture(at: .async)))
                }
            }
        }
        doAwayWithMany()
        let growth = HeapInUse.growth { doAwayWithMany() } ?? 0
        // A hand-over takes at least 32 bytes.
        try #require(growth < 1_000 * 32 / 4, "\(growth) bytes")
    }
    #endif
}
