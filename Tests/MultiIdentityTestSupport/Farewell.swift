import Dispatch
package import MultiIdentity

/// An object that work captures, and that reports what was bound when it was released.
package final class Farewell: Sendable {
    private let said: @Sendable (Identity?) -> Void

    package init(_ said: @escaping @Sendable (Identity?) -> Void) { self.said = said }

    deinit { said(Identity.current) }

    /// The end of a captured object, as it was observed.
    package enum Outcome: Sendable, Equatable {
        case released(whileBound: Identity?)
        /// It is alive long after it should have been released.
        case leaked
    }

    /// Lets `use` capture a farewell, and waits until it is released; a leak is reported after two minutes.
    ///
    /// The wait is that long because the tests that go through every scalar can keep both threads of a small pool busy for a while.
    package static func outcome(of use: (Farewell) -> Void, thenLetGoAnd go: () -> Void = {}) async -> Outcome {
        let answer = Locked<CheckedContinuation<Outcome, Never>?>(nil)
        let end: @Sendable (Outcome) -> Void = { answer.take()?.resume(returning: $0) }
        return await withCheckedContinuation { continuation in
            answer.withLock { $0 = continuation }
            use(Farewell { end(.released(whileBound: $0)) })
            go()
            DispatchQueue.global().asyncAfter(deadline: .now() + 120) { end(.leaked) }
        }
    }
}
