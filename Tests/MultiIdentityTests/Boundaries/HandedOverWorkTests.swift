import Dispatch
import Testing

@testable import MultiIdentity

@Suite("Work handed over a boundary") struct HandedOverWorkTests {
    /// Whose work it is, and whence it is handed over.
    struct Caller: Sendable, CustomTestStringConvertible {
        let identity: Identity?
        let origin: Origin

        static let all: [Caller] = [try? Identity("Ada@contoso.com"), .nobody, nil].flatMap { identity in
            Origin.allCases.map { Caller(identity: identity, origin: $0) }
        }

        var testDescription: String { "\(identity.map(\.description) ?? "unset") from a \(origin)" }
    }

    private let ada: Identity
    private let grace: Identity

    init() throws {
        ada = try Identity("ada@contoso.com")
        grace = try Identity("grace@contoso.com")
    }

    @Test("runs as whoever handed it over", arguments: Boundary.all, Caller.all)
    func caller(_ boundary: Boundary, _ caller: Caller) async {
        let seen = await withIdentity(grace) {
            await boundary.inWork(of: caller.identity, from: caller.origin) { _ in Identity.current }
        }
        #expect(seen == caller.identity)
        #expect(seen?.name == caller.identity?.name)
    }

    /// Two thread levels: while the boundary is prepared, and while the work is handed over.
    static let changes: [(Identity?, Identity?)] = [
        (try? Identity("ada@contoso.com"), try? Identity("grace@contoso.com")),
        (try? Identity("ada@contoso.com"), nil), (nil, try? Identity("grace@contoso.com")),
        (.nobody, try? Identity("grace@contoso.com")), (nil, .nobody), (.nobody, nil),
    ]

    @Test("is captured at the boundary's own moment, unset too", arguments: Boundary.all, changes)
    func moment(_ boundary: Boundary, _ change: (Identity?, Identity?)) async {
        let seen = await boundary.inWork(preparedAs: change.0, handedOverAs: change.1) { _ in Identity.current }
        #expect(seen == (boundary.captured == .dispatched ? change.1 : change.0))
    }

    @Test("may bind another identity for itself, which ends with it", arguments: Boundary.all, [Identity.nobody, nil])
    func rebinding(_ boundary: Boundary, _ other: Identity?) async {
        let seen = await boundary.inWork(of: ada) { _ in [withIdentity(other) { Identity.current }, Identity.current] }
        #expect(seen == [other, ada])
    }

    @Test("that was wrapped before runs as the first that was captured", arguments: Boundary.all)
    func wrappedTwice(_ boundary: Boundary) async {
        let first = IdentitySnapshot(of: ada)
        let seen = await boundary.inWork(of: grace) { _ in
            let look: @Sendable () -> Identity? = first.wrap { Identity.current }
            return [look(), Identity.current]
        }
        #expect(seen == [ada, grace])
    }

    @Test("hands it on to what it starts: a task, and a boundary within", arguments: Boundary.all, Caller.all)
    func handingOn(_ boundary: Boundary, _ caller: Caller) async {
        let (task, started) = await boundary.inWork(of: caller.identity, from: caller.origin) { _ in
            let next = Notes<Identity?>()
            let group = DispatchGroup()
            IdentityQueue(label: "next").async(group: group) { next.add(Identity.current) }
            let started = Task {
                await withCheckedContinuation { continuation in
                    group.notify(queue: .global()) { continuation.resume() }
                }
                return next.all
            }
            return (Task { Identity.current }, started)
        }
        #expect(await task.value == caller.identity)
        #expect(await started.value == [caller.identity])
    }

    @Test("finds mirror and task-local alike", arguments: Boundary.all, Caller.all)
    func mirror(_ boundary: Boundary, _ caller: Caller) async {
        let (shown, stored) = await boundary.inWork(of: caller.identity, from: caller.origin) { _ in
            (ThreadMirror.current().identity, IdentitySnapshot.bound.get().identity)
        }
        #expect(shown == caller.identity)
        #expect(stored == caller.identity)
    }

    @Test("leaves its worker as it was", arguments: Boundary.all, Caller.all)
    func workerAfterwards(_ boundary: Boundary, _ caller: Caller) async {
        let (inWork, after) = await boundary.inWork(of: caller.identity, from: caller.origin) { queue in
            let after = Task { () -> [Identity?] in
                await withCheckedContinuation { continuation in
                    // Plain, and behind the work on its queue, so most often next on the same thread.
                    queue.async {
                        let seen = [ThreadMirror.current().identity, IdentitySnapshot.bound.get().identity]
                        continuation.resume(returning: seen)
                    }
                }
            }
            return (Identity.current, after)
        }
        #expect(inWork == caller.identity)
        #expect(await after.value == [nil, nil])
    }

    @Test("leaves whoever waits for it as it was", arguments: Boundary.waiting, Caller.all)
    func waiterAfterwards(_ boundary: Boundary, _ caller: Caller) async {
        let notes = Notes<Identity?>()
        let work: Boundary.Work = {
            notes.add(.current)
            withIdentity(.nobody) {}
        }
        let grace = grace
        let handOver: @Sendable () -> [Identity?] = {
            withIdentity(caller.identity) {
                let prepared = boundary.prepare(DispatchQueue(label: "boundary"), work)
                prepared()
                return [.current]
                    + withIdentity(grace) {
                        prepared()
                        return [Identity.current, ThreadMirror.current().identity]
                    } + [Identity.current, ThreadMirror.current().identity]
            } + [.current]
        }
        let after = caller.origin == .task ? handOver() : await onNewThread(handOver)
        #expect(after == [caller.identity, grace, grace, caller.identity, caller.identity, nil])
        #expect(notes.all == [caller.identity, boundary.captured == .dispatched ? grace : caller.identity])
    }

    @Test("keeps its caller apart when one and the same closure is handed over by many", arguments: Boundary.all)
    func sameClosure(_ boundary: Boundary) async throws {
        let callers = try (0..<8).map { try Identity("user-\($0)@contoso.com") }
        let look: @Sendable (DispatchQueue) -> String? = { _ in Identity.current?.name }
        let names = await withTaskGroup(of: (Int, String?).self) { group in
            for (index, caller) in callers.enumerated() {
                group.addTask { (index, await boundary.inWork(of: caller, look)) }
            }
            return await group.reduce(into: [Int: String?]()) { $0[$1.0] = $1.1 }
        }
        for (index, caller) in callers.enumerated() { #expect(names[index] == caller.name) }
    }

    @Test("finds process and UI level as they are where it runs, not as they were", arguments: Boundary.all)
    func levels(_ boundary: Boundary) async {
        let levels = IdentityLevels(process: ada, mainProbe: MainProbe { true })
        let (ada, grace) = (ada, grace)
        let seen = await boundary.inWork(of: nil, under: levels) { _ in
            let before = EffectiveIdentity.current(for: .files).identity
            levels.process = grace
            levels.ui = ada
            return (
                ObjectIdentifier(IdentityLevels.current), before, EffectiveIdentity.current(for: .files).identity,
                EffectiveIdentity.current(for: .ui).identity
            )
        }
        #expect(seen.0 == ObjectIdentifier(levels))
        #expect(seen.1 == ada)
        #expect(seen.2 == grace)
        #expect(seen.3 == ada)
    }

    @Test(
        "takes levels of one's own along with an identity, and with none",
        arguments: Boundary.all,
        [try Identity("ada@contoso.com"), .nobody, nil]
    )
    func ownLevels(_ boundary: Boundary, _ caller: Identity?) async {
        let levels = IdentityLevels()
        let seen = await boundary.inWork(of: caller, from: .task, under: levels) { _ in
            (
                IdentityLevels.current === levels, Identity.current,
                withIdentity(nil) { IdentityLevels.current === levels }
            )
        }
        #expect(seen.0)
        #expect(seen.1 == caller)
        #expect(seen.2)
    }
}
