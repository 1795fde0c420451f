import Dispatch
import MultiIdentity
import Testing

extension AutomaticMode {
    /// A thread shows whom its scopes are for, and a task that runs on it at once has its own: two truths in one place.
    @Suite("a task that runs inside a thread's scope") struct TaskTests {
        /// A way to hand work over, to be called in a task.
        struct Way: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let handOver: @Sendable (@escaping @Sendable () -> Void) -> Void

            init(_ description: String, _ handOver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
                testDescription = description
                self.handOver = handOver
            }
        }

        static let ways: [Way] = [
            Way("async") { DispatchQueue.global().async(execute: $0) },
            Way("async, as a barrier") { DispatchQueue(label: "barrier").async(flags: .barrier, execute: $0) },
            Way("async, in a group") { DispatchQueue.global().async(group: DispatchGroup(), execute: $0) },
            Way("asyncAfter") { DispatchQueue.global().asyncAfter(deadline: .now(), execute: $0) },
            Way("a group's notification") { DispatchGroup().notify(queue: .global(), execute: $0) },
            Way("a work item") { DispatchQueue.global().async(execute: DispatchWorkItem(block: $0)) },
            Way("sync") { work in DispatchQueue.global().sync(flags: .barrier, execute: work) },
            Way("concurrentPerform") { work in DispatchQueue.concurrentPerform(iterations: 1) { _ in work() } },
        ]

        @Test("hands over for whom it is itself, nobody too, and what comes after it is the thread's", arguments: ways)
        func each(_ way: Way) async throws {
            let (ada, bob) = (try Identity("ada@contoso.com"), try Identity("bob@contoso.com"))
            let seen = await withCheckedContinuation { continuation in
                // On a worker, where no task runs.
                DispatchQueue.global().async {
                    withIdentity(bob) { continuation.resume(returning: Self.seen(by: way, as: ada)) }
                }
            }
            #expect(seen == [bob, nil, ada, bob])
        }

        /// The identities that work ran as: handed over before the tasks, in one with nothing bound, in one inside that for
        /// `identity`, and after both.
        private static func seen(by way: Way, as identity: Identity) -> [Identity?] {
            let seen = Seen()
            seen.next(by: way)
            _ = Task.immediateDetached {
                seen.next(by: way)
                _ = Task.immediateDetached { withIdentity(identity) { seen.next(by: way) } }
            }
            seen.next(by: way)
            return seen.identities
        }
    }
}

/// The identities that work ran as, one piece after another.
private final class Seen: @unchecked Sendable {
    // `@unchecked Sendable`: each piece of work is waited for before anybody reads or writes again.
    private(set) var identities: [Identity?] = []

    func next(by way: AutomaticMode.TaskTests.Way) {
        let ran = DispatchSemaphore(value: 0)
        way.handOver {
            self.identities.append(Identity.current)
            ran.signal()
        }
        wait(for: ran)
    }
}

/// Waits, in a task too, which the language advises against: the task is to stay on its thread.
private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
