import CMultiIdentity
import Dispatch
import Synchronization

/// The work of a fair queue: our own lines, and *pumps* requested from Dispatch that take the next piece again and again.
///
/// **Places.** A serial queue has one place, a concurrent one as many as there are processors. Each piece that runs has one; a
/// pump, from its request on; a caller of `sync`, from its turn on; a barrier, which also holds all others. So at most that many
/// items of ours are in Dispatch's queue, however much waits.
///
/// **All work runs.** Under one lock: adding a piece requests a pump if there is a place, and no pump has been requested for
/// it. A place that is given back is taken again for what waits. A pump gives its place back only if nothing waits, or if a barrier
/// holds all, whose end requests pumps.
///
/// **Order.** A piece runs after all earlier ones of its identity have begun: one line, taken from the front. On a serial queue they
/// have also ended. A caller of `sync` waits in the line. At its turn it gets the place, and goes through Dispatch's own `sync`. So
/// its work runs on its own thread, and the queue knows it. A barrier is Dispatch's too: those before it have begun, and
/// Dispatch waits for them; those after it are held.
final class WorkInTurns: Sendable {
    /// The maximum number of pieces that a pump runs, and the most it may have used, in nanoseconds, when it begins another.
    ///
    /// Then it requests another pump, so that other queues on the target run.
    static var bound: Int { 128 }
    static var longest: UInt64 { 1_000_000 }

    struct State: ~Copyable, Sendable {
        var line = FairLine()
        var width: Int
        /// The number of places that are taken.
        var places = 0
        /// The number of requested pumps that have not begun.
        var requested = 0
        /// True while a barrier has its turn.
        var isHeld = false

        init(width: Int) { self.width = width }

        /// Takes a place for what waits, if there is one and something for it to do.
        mutating func takesPlace() -> Bool {
            guard !isHeld, places < width, line.waiting > requested else { return false }
            places += 1
            return true
        }

        /// Takes a place for a pump; returns whether the caller has to request one.
        mutating func takesPlaceForPump() -> Bool {
            guard takesPlace() else { return false }
            requested += 1
            return true
        }
    }

    let queue: DispatchQueue
    let handle: QueueHandle?
    let terms: FairTerms
    let isConcurrent: Bool
    /// Marks the queue, for its own work that calls `sync`.
    let key = DispatchSpecificKey<Bool>()
    /// The queue's target, which other queues may share.
    let target: Locked<DispatchQueue?>
    /// The number of suspensions through the queue's own method; the queue is suspended at least that often (``suspend()``).
    let suspensions = Atomic(0)
    let state: Mutex<State>

    init(
        of queue: DispatchQueue,
        target: DispatchQueue?,
        handle: QueueHandle?,
        _ terms: FairTerms,
        _ isConcurrent: Bool,
        width: Int? = nil
    ) {
        self.queue = queue
        self.handle = handle
        self.terms = terms
        self.isConcurrent = isConcurrent
        self.target = Locked(WorkInBatches.shared(target))
        state = Mutex(State(width: width ?? (isConcurrent ? Int(mi_processor_count()) : 1)))
        queue.setSpecific(key: key, value: true)
    }

    /// Calls `body` under the lock with the tenant of an identity.
    ///
    /// The weight of a new one is asked for in between, since that is foreign code.
    func withTenant<Value: Sendable>(
        of identity: Identity?,
        _ body: (inout State, FairLine.Tenant) -> Value
    ) -> Value {
        var weight = terms.commonWeight
        while true {
            let value: Value? = state.withLock(of: self) { state in
                if let tenant = state.line.tenant(of: identity) { return body(&state, tenant) }
                guard let weight else { return nil }
                return body(&state, state.line.begin(identity, weight: weight))
            }
            if let value { return value }
            weight = terms.weight(of: identity)
        }
    }

    /// Hands over a piece, which runs once.
    func add(_ kind: consuming FairPiece.Kind, for identity: Identity?, isBarrier: Bool = false) {
        nonisolated(unsafe) let piece = FairPiece.made(kind, isBarrier: isBarrier && isConcurrent)
        let isToAsk = withTenant(of: identity) { state, tenant in
            state.line.add(piece, to: tenant)
            return state.takesPlaceForPump()
        }
        if isToAsk { askForPump() }
    }

    /// Requests a pump, for which a place is taken.
    func askForPump() {
        // A pump has no identity: each piece of its work is restored separately.
        let task = mi_dispatch_for_itself_begin()
        defer { mi_dispatch_for_itself_end(task) }
        guard let handle else { return queue.async { self.runPump() } }
        // Each pump retains the lines until it has run.
        handle.async(Borrowed(retaining: self).address) { context in
            guard let context else { return }
            Borrowed<WorkInTurns>(at: context).taken().runPump()
        }
    }

    /// Gives a place back after a piece has run, and takes it, and others, for what waits.
    func giveBack(_ tenant: FairLine.Tenant, cost: UInt64, endsHold: Bool = false) {
        nonisolated(unsafe) let tenant = tenant
        resume { state in
            state.line.end(of: tenant, cost: cost)
            state.places -= 1
            if endsHold { state.isHeld = false }
        }
    }

    /// Lets other work begin.
    func endHold() { resume { $0.isHeld = false } }

    /// Changes the state, and takes places for what waits.
    func resume(_ change: (inout State) -> Void) {
        let count = state.withLock(of: self) { state in
            change(&state)
            var count = 0
            while state.takesPlaceForPump() { count += 1 }
            return count
        }
        for _ in 0..<count { askForPump() }
    }
}
