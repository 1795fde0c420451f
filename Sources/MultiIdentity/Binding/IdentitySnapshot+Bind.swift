import CMultiIdentity

extension IdentitySnapshot {
    /// The one store of the thread level.
    ///
    /// Not public: what binds it binds the mirror as well.
    @usableFromInline
    static let bound = {
        let bound = TaskLocal(wrappedValue: IdentitySnapshot(.nothing))
        // A task-local's key is the address of its object, which lives for good; a metatype is one pointer.
        let key = UnsafeRawPointer(Borrowed(bound).address)
        let type = metadata(of: IdentitySnapshot.self)
        mi_bound_make_known(key, type, ThreadMirror.bitsOfNothing)
        let trial = BindingPlace.Trial(in: bound, key, type)
        if trial.isSettable { mi_bound_make_settable() }
        if trial.tellsWhatIsBeneath, ConcurrencyRuntime.here.letsBindingsLast { mi_bound_let_last() }
        return bound
    }()

    /// Binds this snapshot for the length of `operation`, as a scope and a wrapped closure do; work that is handed over once has
    /// ``bind(takingOver:)``, which does the same for a frame of its own.
    ///
    /// Never inlined: the binding of a task is memory that is given back in order, and so is what an asynchronous function
    /// keeps for itself; in one function the two could cross.
    @inlinable @inline(never)
    func bind<Value, Failure: Error>(for operation: () throws(Failure) -> Value) throws(Failure) -> Value {
        let outer = enter()
        defer { Self.leave(outer) }
        return try operation()
    }

    @usableFromInline
    func enter() -> UInt { ThreadMirror.enter(retainedBits()) }

    @usableFromInline
    static func leave(_ outer: UInt) { ThreadMirror.leave(outer) }

    /// The bits of this, and a reference that goes with them.
    @inline(__always)
    func retainedBits() -> UInt {
        switch held {
        case .nothing: break
        case .identity(let identity): return Self.retainedBits(of: identity)
        case .frame(let frame):
            _ = Borrowed(retaining: frame)
            return IdentityTrigger.hiding(word)
        }
        return word
    }

    fileprivate static func retainedBits(of identity: Identity) -> UInt {
        let bits = IdentitySnapshot(.identity(identity)).word
        _ = Borrowed(retaining: identity.spelling)
        return bits
    }

    /// Binds the snapshot of these bits for the length of `work`, and takes over the reference that they stand for.
    ///
    /// Only for what C calls: inlined into an asynchronous function it would do harm.
    @inline(__always)
    static func bind(takingOver bits: UInt, taskRuns: Bool = mi_task_runs(), for work: () -> Void) {
        if ThreadMirror.currentBits(taskRuns: taskRuns) == bits ^ ThreadMirror.bitsOfNothing,
            bits == ThreadMirror.bitsOfNothing || ThreadMirror.isSeen(bits ^ ThreadMirror.bitsOfNothing)
        {
            work()
            if bits != ThreadMirror.bitsOfNothing { release(bits) }
        } else {
            let outer =
                taskRuns
                ? ThreadMirror.enter(IdentityTrigger.hiding(bits), taskRuns: true) : ThreadMirror.enterWork(bits)
            work()
            ThreadMirror.leaveWork(outer)
        }
    }

    /// The same for work that a boundary runs and that may run again: what keeps the work keeps this.
    @inline(never)
    func bindForWork(_ work: () -> Void) {
        let taskRuns = mi_task_runs()
        // A lasting binding may hold what it does not own: this lives as long as the call.
        if !taskRuns, ThreadMirror.lend(word, to: work) { return }
        let bits = retainedBits()
        let outer = taskRuns ? ThreadMirror.enter(bits, taskRuns: true) : ThreadMirror.enterFirstWork(bits)
        work()
        ThreadMirror.leaveWork(outer)
    }

    /// The same for asynchronous code, which always runs in a task and so never touches the mirror.
    // Part of its caller: what knows no type looks it up each time, a fifth of a detached task. Unlike `enter`, `withValue` binds
    // by what the compiler knows to be memory of the task, and keeps in order. The closure that `withValue` takes captures the
    // isolation, which has to be a parameter for that: else it would leave the caller's actor, and hop twice.
    @inlinable @inline(__always)
    func bind<Value, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation,
        for operation: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await Self.bound.withValue(self) {
            _ = isolation
            return await Result(catching: operation)
        }.get()
    }
}

extension IdentitySnapshot {
    /// Gives the reference back that these bits stand for.
    @inline(never)
    static func release(_ bits: UInt) { _ = IdentitySnapshot(takingOver: bits) }

    /// The snapshot of these bits, and with it the reference that they stand for.
    init(takingOver bits: UInt) {
        var bits = bits
        self = withUnsafeMutablePointer(to: &bits) { bits in
            bits.withMemoryRebound(to: IdentitySnapshot.self, capacity: 1) { $0.move() }
        }
    }
}

extension Result where Success: ~Copyable {
    /// The asynchronous twin of the standard library's initialiser; typed errors cross `withValue` in it.
    @inlinable
    nonisolated(nonsending) init(
        catching body: nonisolated(nonsending) () async throws(Failure) -> Success
    ) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}

// Functions of no type: a caller of a type's own function hands the type over, and goes by a thunk that leaves it out.

/// Opens a scope, as ``IdentitySnapshot/bind(for:)`` does with less to spare: its one reference to the identity is the
/// binding's.
@usableFromInline
func openScope(of identity: Identity?, _ fileID: StaticString, _ line: UInt) -> UInt {
    if BindingFeatures.inUse.isDisjoint(with: .inScopes) {
        guard let identity else { return ThreadMirror.enter(ThreadMirror.bitsOfNothing) }
        return ThreadMirror.enter(IdentitySnapshot.retainedBits(of: identity))
    }
    return openObservedScope(of: identity, fileID, line)
}

@inline(never)
private func openObservedScope(of identity: Identity?, _ fileID: StaticString, _ line: UInt) -> UInt {
    let scope = IdentitySnapshot.binding(identity, fileID, line)
    let outer = scope.enter()
    return outer == ThreadMirror.nothingToReinstate && scope.frame != nil ? frameToEnd : outer
}

/// The result of ``openScope(of:_:_:)`` in a task where the scope takes a frame: no snapshot's bits either.
private var frameToEnd: UInt { ThreadMirror.nothingToReinstate ^ 2 }

@usableFromInline
func closeScope(_ outer: UInt) {
    // A task is not asked what it has bound, which takes longer than to end it.
    if outer == ThreadMirror.nothingToReinstate { return ThreadMirror.leave(outer) }
    if outer == frameToEnd { return endScope(ThreadMirror.nothingToReinstate) }
    if case .frame = ThreadMirror.toLeave(outer).held { return endScope(outer) }
    ThreadMirror.leave(outer)
}

/// Ends the scope of a frame, which is kept for that.
@inline(never)
private func endScope(_ outer: UInt) {
    let scope = ThreadMirror.toLeave(outer)
    ThreadMirror.leave(outer)
    scope.end()
}
