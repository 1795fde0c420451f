public import Dispatch
public import MultiIdentity

/// A crossing prepared up to the capture, so that the caller chooses when to trigger the work.
///
/// Nothing is bound here, unless others act at the other moments.
@_spi(Catalogue) public final class PreparedCrossing: BoundaryCrossing {
    private struct State {
        var steps: [Held<() -> Void>] = []
        var cleanups: [@Sendable () -> Void] = []
        var isBare = false
    }

    package let carries: Bool
    package let queue: DispatchQueue
    package let shared: SharedGround
    private let captured: Moment?
    private let others: Identity?
    private let payload: @Sendable () -> Void
    private let state = Locked(State())

    private init(
        _ boundary: CataloguedBoundary,
        carries: Bool,
        others: Identity?,
        shared: SharedGround,
        queue: DispatchQueue,
        work: @escaping @Sendable () -> Void
    ) {
        captured = boundary.captured
        self.carries = carries
        self.others = others
        self.shared = shared
        self.queue = queue
        payload = work
    }

    /// The given closure itself, if nothing has to be done after it.
    package var work: @Sendable () -> Void {
        let isBare = state.withLock { state in
            state.isBare = state.cleanups.isEmpty
            return state.isBare
        }
        if isBare { return payload }
        return { [payload, state] in
            payload()
            let cleanups = state.withLock { state in
                defer { state.cleanups = [] }
                return state.cleanups
            }
            for cleanup in cleanups.reversed() { cleanup() }
        }
    }

    package func part(_ index: Int, of count: Int) -> @Sendable () -> Void {
        if index == count { return work }
        return {}
    }

    package func at<Value>(_ moment: Moment, _ body: () -> Value) -> Value {
        if let others, moment != captured { withIdentity(others, body) } else { body() }
    }

    package func then(_ moment: Moment, _ body: @escaping () -> Void) {
        let step = Held(body)
        state.withLock { $0.steps.append(step) }
    }

    package func refuse(_ reason: String) { preconditionFailure(reason) }

    package func afterwards(_ cleanup: @escaping @Sendable () -> Void) {
        state.withLock { state in
            precondition(!state.isBare, "Call afterwards(_:) before the work is read.")
            state.cleanups.append(cleanup)
        }
    }

    /// Removes and returns the steps after the capture: none may stay here, since a step may retain the crossing.
    fileprivate func takeSteps() -> [Held<() -> Void>] {
        state.withLock { state in
            defer { state.steps = [] }
            return state.steps
        }
    }

    /// Does everything that precedes the hand-over: nothing, if one call captures and hands over.
    ///
    /// - Parameters:
    ///   - boundary: The boundary to cross.
    ///   - carries: Whether to cross it with this package.
    ///   - isDropped: Whether the work is dropped before it has run.
    ///   - others: The identity at each moment except the capture, if it is not the current one.
    ///   - shared: The objects shared with other crossings.
    ///   - queue: A serial queue for the work.
    ///   - work: The work.
    /// - Returns: The hand-over, or the trigger of the work.
    public static func prepare(
        _ boundary: CataloguedBoundary,
        carries: Bool,
        isDropped: Bool = false,
        others: Identity? = nil,
        sharing shared: SharedGround = SharedGround(),
        on queue: DispatchQueue,
        _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        guard let cross = isDropped ? boundary.drop : boundary.cross else {
            preconditionFailure("\(boundary) does not exist here.")
        }
        let prepare: @Sendable () -> [Held<() -> Void>] = {
            let crossing = PreparedCrossing(
                boundary,
                carries: carries,
                others: others,
                shared: shared,
                queue: queue,
                work: work
            )
            cross(crossing)
            return crossing.takeSteps()
        }
        let setOff: @Sendable ([Held<() -> Void>]) -> Void = { steps in
            func run() { for step in steps { step.value() } }
            if let others { withIdentity(others, run) } else { run() }
        }
        if boundary.isOneCall { return { setOff(prepare()) } }
        let steps = prepare()
        return { setOff(steps) }
    }
}
