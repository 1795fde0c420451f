import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

@Suite("Work given to Foundation is released as soon as it is over", .rule("6.2")) struct GivenWorkLifetimeTests {
    /// Lets `give` take over a farewell on a new thread, uses the result, and retains it, if told to, until the farewell's end.
    ///
    /// The thread retains nothing of it at its end: see ``HeldWork``.
    private func outcome(
        give: @escaping @Sendable (Farewell) -> FoundationBoundary.Given,
        then goOn: @escaping @Sendable (FoundationBoundary.Given) -> Void,
        isKept: Bool = true
    ) async -> Farewell.Outcome {
        let isOver = DispatchSemaphore(value: 0)
        defer { isOver.signal() }
        return await Farewell.outcome { farewell in
            let luggage = Locked<Farewell?>(farewell)
            Thread.detachNewThread {
                func use() {
                    if let given = luggage.take().map(give) {
                        goOn(given)
                        if isKept { isOver.wait() }
                        withExtendedLifetime(given) {}
                    }
                }
                use()
            }
        }
    }

    private func given(_ boundary: FoundationBoundary, _ farewell: Farewell) -> FoundationBoundary.Given {
        withIdentity(ada) { boundary.give { withExtendedLifetime(farewell) {} } }
    }

    @Test("when it has run, outside its scope, although its runner is retained", arguments: FoundationBoundary.once)
    func once(_ boundary: FoundationBoundary) async {
        let outcome = await outcome(give: { given(boundary, $0) }, then: { $0.setOff() })
        #expect(outcome == .released(whileBound: nil))
    }

    /// Returns the boundaries that release their work when it is over: Foundation of Swift 6.2 retains an observer's block as
    /// long as its token.
    private static func releasing(_ boundaries: [FoundationBoundary]) -> [FoundationBoundary] {
        #if compiler(>=6.3)
        boundaries
        #else
        boundaries.filter { boundary in !FoundationBoundary.notifications.contains { $0.name == boundary.name } }
        #endif
    }

    @Test("when it is ended, although it never ran", arguments: releasing(FoundationBoundary.reusable))
    func endedUnrun(_ boundary: FoundationBoundary) async {
        let outcome = await outcome(give: { given(boundary, $0) }, then: { $0.end() })
        #expect(outcome == .released(whileBound: nil))
    }

    @Test("when it is ended, after it has run", arguments: releasing(FoundationBoundary.reusable))
    func ended(_ boundary: FoundationBoundary) async {
        let ran = DispatchSemaphore(value: 0)
        let outcome = await outcome(
            give: { farewell in
                withIdentity(ada) {
                    boundary.give {
                        withExtendedLifetime(farewell) {}
                        ran.signal()
                    }
                }
            },
            then: { given in
                given.setOff()
                ran.wait()
                given.end()
            }
        )
        #expect(outcome == .released(whileBound: nil))
    }

    /// On Linux Foundation never releases a timer, and a run loop lives as long as its thread.
    private static let droppable = FoundationBoundary.waiting.filter { boundary in
        !(FoundationBoundary.timers + FoundationBoundary.runLoops).contains { $0.name == boundary.name }
    }

    @Test("when it is dropped without running", arguments: droppable)
    func dropped(_ boundary: FoundationBoundary) async {
        let outcome = await outcome(give: { given(boundary, $0) }, then: { _ in }, isKept: false)
        #expect(outcome == .released(whileBound: nil))
    }

    @Test("with the thread of a run loop that never ran it", arguments: FoundationBoundary.runLoops)
    func runLoop(_ boundary: FoundationBoundary) async {
        final class Load: Sendable {}
        let isGone = Locked<@Sendable () -> Bool>({ false })
        await onNewThread {
            // It uses no Dispatch: Foundation releases the block when the thread has ended.
            let load = Load()
            weak let weakLoad = load
            isGone.withLock { $0 = { weakLoad == nil } }
            _ = boundary.give { withExtendedLifetime(load) {} }
        }
        let check = isGone.withLock { $0 }
        for _ in 0..<100_000 where !check() { await Task.yield() }
        #expect(check())
    }

    @Test("with all its captures", arguments: releasing(FoundationBoundary.all))
    func snapshot(_ boundary: FoundationBoundary) async {
        let ran = DispatchSemaphore(value: 0)
        let outcome = await outcome(
            give: { farewell in
                // Levels that only the captured snapshot retains represent everything that crosses the boundary.
                let levels = IdentityLevels(mainProbe: { withExtendedLifetime(farewell) { false } })
                return withIdentityLevels(levels) {
                    withIdentity(ada) {
                        let given = boundary.give { ran.signal() }
                        if boundary.captured == .setOff { given.setOff() }
                        return given
                    }
                }
            },
            then: { given in
                if boundary.captured == .given { given.setOff() }
                ran.wait()
                if boundary.lifetime == .reusable { given.end() }
            }
        )
        #expect(outcome == .released(whileBound: nil))
    }
}
