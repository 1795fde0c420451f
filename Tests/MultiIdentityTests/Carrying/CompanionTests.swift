import Dispatch
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentity

@Suite("Task-local values that a program names") struct CompanionTests {
    enum Context {
        @TaskLocal static var request = 0
        @TaskLocal static var trace: String?
        @TaskLocal static var tags: [String] = []
        @TaskLocal static var unnamed = 0
    }

    /// The values of the four; the last one is not named.
    struct Seen: Equatable, Sendable {
        let request: Int
        let trace: String?
        let tags: [String]
        let unnamed: Int

        static var here: Seen {
            Seen(request: Context.request, trace: Context.trace, tags: Context.tags, unnamed: Context.unnamed)
        }
    }

    init() { IdentityCompanions.carry(Context.$request, Context.$trace, Context.$tags) }

    private func bound<Value>(_ body: () -> Value) -> Value {
        Context.$request.withValue(7) {
            Context.$trace.withValue("t-1") {
                Context.$tags.withValue(["a"]) { Context.$unnamed.withValue(9, operation: body) }
            }
        }
    }

    @Test("are restored if the identity is already bound, but other code bound them in the meantime")
    func rebound() {
        let snapshot = withIdentity(ada) { bound { IdentitySnapshot.capture() } }
        let seen = snapshot.restore {
            Context.$request.withValue(8) {
                [Context.request, snapshot.restore { Context.request }, Context.request]
            }
        }
        #expect(seen == [8, 7, 8])
    }

    @Test("cross every boundary with the identity, and unnamed ones do not", .rule("4.9"), arguments: Boundary.all)
    func crossing(_ boundary: Boundary) async {
        guard boundary.worker == .queue else { return }
        let found = Locked<(Seen, Identity?)?>(nil)
        let queue = DispatchQueue(label: "companions")
        await withCheckedContinuation { continuation in
            Origin.thread.run {
                withIdentity(ada) {
                    self.bound {
                        boundary.prepare(queue) {
                            found.withLock { $0 = (.here, .current) }
                            continuation.resume()
                        }()
                    }
                }
            }
        }
        let (seen, identity) = found.withLock { $0 } ?? (.here, nil)
        #expect(seen == Seen(request: 7, trace: "t-1", tags: ["a"], unnamed: 0))
        #expect(identity == ada)
    }

    @Test("cross without an identity, and hide the worker's values", .rule("4.9"))
    func unsetIdentity() async {
        let work = await onNewThread { IdentitySnapshot.capture().wrap { Seen.here } as @Sendable () -> Seen }
        let (inside, after) = bound { (work(), Seen.here) }
        #expect(inside == Seen(request: 0, trace: nil, tags: [], unnamed: 9), "what was absent is absent inside")
        #expect(after == Seen(request: 7, trace: "t-1", tags: ["a"], unnamed: 9), "and back afterwards")
    }

    @Test("cross into detached tasks and through suspensions, on the caller's actor", .rule("4.9"))
    @MainActor func tasks() async {
        let snapshot = bound { IdentitySnapshot.capture() }
        let seen = await snapshot.restore { () async -> [Seen] in
            MainActor.assertIsolated()
            let before = Seen.here
            await Task.yield()
            MainActor.assertIsolated()
            return [before, .here]
        }
        #expect(seen == Array(repeating: Seen(request: 7, trace: "t-1", tags: ["a"], unnamed: 0), count: 2))
        let detached = bound { Task.propagatingIdentity.detached { Seen.here } }
        #expect(await detached.value == seen[0])
    }

    @Test("are registered once, however often they are named", .rule("4.9"))
    func naming() {
        IdentityCompanions.carry(Context.$request)
        IdentityCompanions.carry(Context.$request, Context.$trace, Twice.$named, Twice.$named)
        // Other tests name theirs in the meantime.
        let keys = CompanionLocals.current?.locals.map(\.key) ?? []
        #expect(Set(keys).count == keys.count && keys.count >= 3 && keys.count <= IdentityCompanions.count)
    }

    @Test("are released with the work that carried them", .rule("4.9"))
    func release() async {
        let outcome = await Farewell.outcome { farewell in
            IdentityCompanions.carry(Kept.$object)
            Kept.$object.withValue(farewell) {
                let queue = IdentityQueue(label: "release")
                queue.async {}
                queue.sync {}
            }
        }
        #expect(outcome == .released(whileBound: nil))
    }

    enum Kept {
        @TaskLocal static var object: Farewell?
    }

    enum Twice { @TaskLocal static var named = 0 }

    /// A request's context, which owns everything that is made while it is current.
    final class Owner: Sendable {
        @TaskLocal static var current: Owner?
        @TaskLocal static var kept: Owner?
        let owned = Locked<(any Sendable)?>(nil)

        /// Returns a context that only the results of `make` retain.
        static func owning(_ make: () -> any Sendable) -> Owner {
            let owner = Owner()
            $current.withValue(owner) { $kept.withValue(owner) { owner.owned.withLock { $0 = make() } } }
            return owner
        }
    }

    @Test("are bound as long as other code retains them, if they were named weakly", .rule("4.9"))
    func weakly() async {
        IdentityCompanions.carry(weakly: Owner.$current)
        weak var owner: Owner?
        let makers: [() -> any Sendable] = [
            {
                let timer = DispatchSource.makeTimerSource(queue: .global()).propagatingIdentity
                timer.setEventHandler {}
                timer.activate()
                return timer
            },
            { Carried(DispatchWorkItem.propagatingIdentity {}) }, { IdentitySnapshot.capture() },
        ]
        for make in makers {
            withIdentity(ada) { owner = Owner.owning(make) }
            #expect(owner == nil)
        }
        var context: Owner? = Owner()
        let snapshot = Owner.$current.withValue(context) { IdentitySnapshot.capture() }
        #expect(context != nil && Owner.$current.withValue(Owner()) { snapshot.restore { Owner.current } } === context)
        #expect(await snapshot.restore { () async in Owner.current } === context)
        context = nil
        #expect(Owner.$current.withValue(Owner()) { snapshot.restore { Owner.current == nil } })
        #expect(await snapshot.restore { () async in Owner.current == nil })
    }

    @Test("are counted if captures retain them after their scope, if that is recorded")
    func outliving() async {
        await #expect(processExitsWith: .success) {
            IdentityCompanions.carry(Owner.$kept)
            IdentityCompanions.carry(weakly: Owner.$current)
            IdentityCompanions.recordsCaptures = true
            let snapshots = Locked<[IdentitySnapshot]>([])
            withIdentity(.nobody) {
                _ = Owner.owning { snapshots.withLock { $0.append(.capture()) } }
                #expect(IdentityCompanions.outliving.isEmpty)
            }
            let outliving = IdentityCompanions.outliving
            #expect(outliving.count == 1 && outliving.first?.value == 1)
            let isNamed = outliving.first?.key.hasSuffix("Owner.$kept") == true
            #expect(isNamed || Sanitizer.isAddress, "by its declaration")
            snapshots.withLock { $0 = [] }
            #expect(IdentityCompanions.outliving.isEmpty)
        }
    }
}
