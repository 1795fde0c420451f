import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

@Suite("A thread that waits for others") struct WaitingThreadTests {
    static let identities: [Identity?] = [Users.ada, .nobody, nil]

    /// A way in which a thread has asynchronous work done and blocks until it is.
    struct Bridge: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (@escaping @Sendable () async -> Void) -> Void

        static let all = [
            Bridge(testDescription: "a task") { body in
                wait { done in
                    Task {
                        await body()
                        done()
                    }
                }
            },
            Bridge(testDescription: "a task that starts at once, on the waiting thread") { body in
                wait { done in
                    Task.immediate {
                        await body()
                        done()
                    }
                }
            },
            Bridge(testDescription: "a detached task that carries") { body in
                wait { done in
                    Task.propagatingIdentity.detached {
                        await body()
                        done()
                    }
                }
            },
            Bridge(testDescription: "a task that work on a queue makes") { body in
                wait { done in
                    IdentityQueue(label: "bridge").async {
                        Task {
                            await body()
                            done()
                        }
                    }
                }
            },
            Bridge(testDescription: "a task on a queue that the thread waits for") { body in
                IdentityQueue(label: "bridge").sync {
                    wait { done in
                        Task {
                            await body()
                            done()
                        }
                    }
                }
            },
        ]

        private static func wait(for start: (@escaping @Sendable () -> Void) -> Void) {
            let done = DispatchSemaphore(value: 0)
            start { done.signal() }
            done.wait()
        }
    }

    @Test(
        "has asynchronous work done as the identity that it works for, and still works for it",
        .rule("4.1"),
        .timeLimit(.minutes(20)),
        arguments: Bridge.all,
        identities
    )
    func asynchronousWork(_ bridge: Bridge, _ caller: Identity?) async {
        let (seen, after) = await onNewThread {
            let seen = Notes<Identity?>()
            let after =
                withIdentity(grace) {
                    withIdentity(caller) { () -> [Look] in
                        bridge.run {
                            seen.add(.current)
                            await Task.yield()
                            seen.add(.current)
                            await withIdentity(.nobody) { await Task.yield() }
                            seen.add(.current)
                        }
                        return [Look()]
                    } + [Look()]
                } + [Look()]
            return (seen.all, after)
        }
        #expect(seen == [caller, caller, caller])
        #expect(after.map(\.identity) == [caller, grace, nil])
        #expect(after.allSatisfy { $0.agree })
    }
}
