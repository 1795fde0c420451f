import CMultiIdentity

extension IdentitySnapshot {
    /// The one store of the thread level.
    ///
    /// It is not public: code that binds it binds the mirror as well.
    @usableFromInline
    static let bound = {
        let bound = TaskLocal(wrappedValue: IdentitySnapshot(.nothing))
        // A task-local's key is the address of its object, which is never freed; a metatype is one pointer.
        let key = UnsafeRawPointer(Borrowed(bound).address)
        let type = metadata(of: IdentitySnapshot.self)
        mi_bound_make_known(key, type, ThreadMirror.bitsOfNothing)
        let trial = BindingPlace.Trial(in: bound, key, type)
        if trial.isSettable { mi_bound_make_settable() }
        if trial.tellsWhatIsBeneath, ConcurrencyRuntime.here.letsBindingsLast { mi_bound_let_last() }
        return bound
    }()

    /// Binds this snapshot while `operation` runs, as a scope and a wrapped closure do; work that is handed over once
    /// uses ``bind(takingOver:)``, which does the same for its own frame.
    ///
    /// Never inlined: a task's binding is memory that is freed in stack order, and so are an asynchronous function's
    /// locals; in one function the two could cross.
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

    /// The bits of this, with a reference.
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

    /// Binds the snapshot of these bits while `work` runs, and consumes their reference.
    ///
    /// Only for functions that C calls: it must not be inlined into an asynchronous function (``bind(for:)``).
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

    /// Binds it for work that a boundary runs and that may run again: the owner of the work retains this.
    @inline(never)
    func bindForWork(_ work: () -> Void) {
        let taskRuns = mi_task_runs()
        // A lasting binding may contain a snapshot that it does not own: this lives as long as the call.
        if !taskRuns, ThreadMirror.lend(word, to: work) { return }
        let bits = retainedBits()
        let outer = taskRuns ? ThreadMirror.enter(bits, taskRuns: true) : ThreadMirror.enterFirstWork(bits)
        work()
        ThreadMirror.leaveWork(outer)
    }

    /// Binds it for asynchronous code, which always runs in a task and so never touches the mirror.
    // Inlined into its caller: generic code would look its type up each time, at a fifth of a detached task. Unlike `enter`, `withValue`
    // binds in memory that the compiler knows to be the task's, and keeps in order. The closure passed to `withValue` captures the
    // isolation, which therefore has to be a parameter: otherwise it would leave the caller's actor, and hop twice.
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
    /// Releases the reference of these bits.
    @inline(never)
    static func release(_ bits: UInt) { _ = IdentitySnapshot(takingOver: bits) }

    /// Makes the snapshot of these bits, and consumes their reference.
    init(takingOver bits: UInt) {
        var bits = bits
        self = withUnsafeMutablePointer(to: &bits) { bits in
            bits.withMemoryRebound(to: IdentitySnapshot.self, capacity: 1) { $0.move() }
        }
    }
}

extension Result where Success: ~Copyable {
    /// The asynchronous counterpart of the standard library's initializer; typed errors cross `withValue` in it.
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

// Global functions: a call of a type's own function passes the type, and needs a thunk that drops it.

/// Opens a scope, more cheaply than ``IdentitySnapshot/bind(for:)``: the binding has the only reference to the identity.
@usableFromInline
func openScope(of identity: Identity?, _ fileID: StaticString, _ line: UInt) -> UInt {
    if BindingFeatures.inUse.isDisjoint(with: .inScopes) {
        guard let identity else { return ThreadMirror.enter(ThreadMirror.bitsOfNothing) }
        return ThreadMirror.enter(IdentitySnapshot.retainedBits(of: identity))
    }
    return openObservedScope(of: identity, nil, fileID, line)
}

@inline(never)
func openObservedScope(
    of identity: Identity?,
    _ limits: WorkLimits?,
    _ fileID: StaticString,
    _ line: UInt
) -> UInt {
    let scope = IdentitySnapshot.binding(identity, limits, fileID, line)
    // First: a response to what the surroundings used runs as they do.
    if let frame = scope.frame { frame.origin.contents.limits?.open(for: frame) }
    let isNoted = NotedScope.open(for: identity)
    let outer = scope.enter()
    if outer == ThreadMirror.nothingToReinstate { return MarkedScope.inTask(scope.frame != nil, isNoted) }
    return isNoted ? MarkedScope.noted(outer) : outer
}

/// The results of ``openScope(of:_:_:)`` that closing has more to do for; none is a snapshot's bits either.
private enum MarkedScope {
    private static var mark: UInt { 1 << 1 }
    private static var takesFrame: UInt { 1 << 2 }
    private static var isNoted: UInt { 1 << 3 }

    static func inTask(_ hasFrame: Bool, _ noted: Bool) -> UInt {
        ThreadMirror.nothingToReinstate ^ (hasFrame ? takesFrame : 0) ^ (noted ? isNoted : 0)
    }

    static func noted(_ outer: UInt) -> UInt { outer | mark }

    static func isAny(_ outer: UInt) -> Bool { outer & mark != 0 }

    @inline(never)
    static func close(_ outer: UInt) {
        guard outer | takesFrame | isNoted == ThreadMirror.nothingToReinstate else {
            NotedScope.close()
            return closeScope(outer ^ mark)
        }
        if outer & isNoted == 0 { NotedScope.close() }
        if outer & takesFrame == 0 { return endScope(ThreadMirror.nothingToReinstate) }
        ThreadMirror.leave(ThreadMirror.nothingToReinstate)
    }
}

@usableFromInline
func closeScope(_ outer: UInt) {
    // It does not look up what the task has bound: that takes longer than ending the scope.
    if outer == ThreadMirror.nothingToReinstate { return ThreadMirror.leave(outer) }
    if MarkedScope.isAny(outer) { return MarkedScope.close(outer) }
    if case .frame = ThreadMirror.toLeave(outer).held { return endScope(outer) }
    ThreadMirror.leave(outer)
}

/// Ends the scope of a frame, which is retained for that.
@inline(never)
private func endScope(_ outer: UInt) {
    let scope = ThreadMirror.toLeave(outer)
    ThreadMirror.leave(outer)
    scope.frame?.endScope()
}
