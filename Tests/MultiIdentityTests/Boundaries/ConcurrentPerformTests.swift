import Dispatch
import Foundation
import MultiIdentity
import Testing

@Suite(
    "Iterations that run in parallel",
    .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1, "one processor has no thread that helps")
)
struct ConcurrentPerformTests {
    /// The state in one iteration, and its thread.
    private struct Look: Sendable {
        let identity: Identity?
        let after: Identity?
        let isOnCallersThread: Bool
    }

    static let identities: [Identity?] = [Users.ada, .nobody, nil]

    /// Runs two iterations that certainly overlap: each waits until the other has begun, so that a second thread helps.
    private func looks(as caller: Identity?, through other: Identity?) async -> (looks: [Look], after: Identity?) {
        await onNewThread {
            let notes = Notes<Look>()
            let begun = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
            let callersThread = ObjectIdentifier(Thread.current)
            let after = withIdentity(caller) {
                IdentityQueue.concurrentPerform(iterations: 2) { iteration in
                    begun[1 - iteration].signal()
                    begun[iteration].wait()
                    let identity = Identity.current
                    withIdentity(other) {}
                    notes.add(
                        Look(
                            identity: identity,
                            after: .current,
                            isOnCallersThread: ObjectIdentifier(Thread.current) == callersThread
                        )
                    )
                }
                return Identity.current
            }
            return (notes.all, after)
        }
    }

    @Test(
        "each run as the caller, on its own thread and on a helping one",
        .rule("4.6"),
        .timeLimit(.minutes(20)),
        arguments: identities
    )
    func everyIteration(_ caller: Identity?) async throws {
        let (looks, after) = await looks(as: caller, through: try Identity("grace@contoso.com"))
        #expect(looks.map(\.isOnCallersThread).filter { $0 }.count == 1, "one iteration was on the caller's thread")
        #expect(looks.map(\.identity) == [caller, caller])
        #expect(looks.map(\.after) == [caller, caller])
        #expect(after == caller)
    }

    @Test("run each once, whatever their number", .rule("5.2"), arguments: [0, 1, 2, 3, 64, 1_000])
    func count(_ iterations: Int) async {
        let seen = await onNewThread {
            let notes = Notes<Int>()
            IdentityQueue.concurrentPerform(iterations: iterations) { notes.add($0) }
            return notes.all
        }
        #expect(seen.sorted() == Array(0..<iterations))
    }

    @Test("restore the helping thread's own identity", .rule("4.6"), .timeLimit(.minutes(20)))
    func helperAfterwards() async {
        // The plain iterations after the carrying ones run on the same few workers, where nothing may be bound.
        let dirty = await onNewThread {
            let notes = Notes<Identity?>()
            for _ in 0..<50 {
                withIdentity(ada) { IdentityQueue.concurrentPerform(iterations: 16) { _ in withIdentity(.nobody) {} } }
                DispatchQueue.concurrentPerform(iterations: 16) { _ in
                    if let identity = Identity.current { notes.add(identity) }
                }
            }
            return notes.all
        }
        #expect(dirty == [])
    }
}
