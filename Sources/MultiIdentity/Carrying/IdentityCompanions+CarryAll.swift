import CMultiIdentity

extension IdentityCompanions {
    /// A task-local that was found bound where work was captured.
    public struct Declaration: @unchecked Sendable {
        // `@unchecked Sendable`: the task-local behind the key is never freed once it is known, and a type never is.
        let key: UnsafeRawPointer
        let type: UnsafeRawPointer

        /// The name of the declaration, such as `App.Request.$log`; without symbols, `TaskLocal` and the type of its value.
        ///
        /// - Complexity: O(symbols of the program and its libraries): some milliseconds.
        public var name: String {
            guard let text = mi_symbol_of_task_local(key) else {
                return "TaskLocal<\(unsafeBitCast(type, to: Any.Type.self))>"  // a metatype is one pointer
            }
            defer { free(text) }
            return String(cString: text)
        }
    }

    /// The treatment of a task-local that no one named.
    public enum Treatment: Sendable {
        /// The work has the value of the code that handed it over.
        case carry
        /// The work has the task-local's default value, unless it runs on the caller's own thread, as `sync` does.
        case reset
        /// Like `reset`, and each place that hands work over while it is bound is a finding: for what belongs to one thread or
        /// task, such as a transaction.
        case refuse
    }

    /// Carries every task-local across every boundary from now on, including private ones of other modules.
    ///
    /// ```swift
    /// try IdentityCompanions.carryAll()
    /// ```
    ///
    /// A task-local becomes known when work is captured while it is bound, and is a companion from then on. Those that were
    /// named before keep their form. One that only an object refers to could be freed while a task has its value: name it.
    ///
    /// Swift's runtime has no public entry for this. Its list of bindings is read where a trial, at the first call, has found it.
    ///
    /// Calling it again has no effect. At most 128 task-locals become known; then a message on standard error says that no further
    /// ones are carried.
    ///
    /// - Parameter policy: Returns the treatment of a task-local when it is first seen; two threads can ask at once.
    ///   Work that it hands over carries no companions.
    /// - Throws: ``IdentityError`` with the code `unknownRuntime` if the trial failed. Nothing has changed then; name the
    ///   task-locals instead.
    public static func carryAll(
        _ policy: (@Sendable (_ declaration: Declaration) -> Treatment)? = nil
    ) throws(IdentityError) {
        guard BoundListTrial.hasPassed else {
            throw IdentityError(
                .unknownRuntime,
                "This Swift runtime keeps its task-locals in a way that is not known: name them with IdentityCompanions.carry(_:)."
            )
        }
        let own = [mi_bound_key_known(), CompanionReading.key].compactMap { $0 }
        change {
            $0.others == nil ? $0.with(others: OtherLocals(CarryAllPolicy(treatment: policy), leaving: own)) : nil
        }
    }
}

private struct CarryAllPolicy: OtherLocalsPolicy {
    let treatment: (@Sendable (IdentityCompanions.Declaration) -> IdentityCompanions.Treatment)?

    var asksProgram: Bool { treatment != nil }

    func learn(_ item: mi_bound_item) {
        // Outside the lock, since the policy is the program's.
        let local = companion(item)
        var treatment = IdentityCompanions.Treatment.carry
        if local != nil, let ask = self.treatment {
            let declaration = IdentityCompanions.Declaration(key: item.key, type: item.type)
            treatment = CompanionReading.run { ask(declaration) }
        }
        IdentityCompanions.change { old in
            guard let others = old.others, !old.knows(item.key) else { return nil }
            if let local, treatment == .carry { return old.with(locals: [local]) }
            return old.with(others: others.leaving(item.key, local, isRefused: treatment == .refuse))
        }
        if CompanionLocals.current?.table.pointee.is_full == true { _ = Self.saidFull }
    }

    func report(_ item: mi_bound_item) {
        if FindingExemption.isInForce { return }
        let here = ThreadMirror.current()
        let name = Self.name(of: item)
        var finding = Finding(
            kind: .refusedTaskLocal,
            identity: here.identity,
            site: here.site,
            hops: here.hops,
            message: "work was handed over while \(name) is bound, which must not be; the work has its default."
        )
        finding.origin = .here()
        here.levels.diagnosticSettings.notify(finding)
    }

    private static let names = Locked<[UInt: String]>([:])

    /// The name of an item's declaration, which is looked up once.
    private static func name(of item: mi_bound_item) -> String {
        let key = UInt(bitPattern: item.key)
        if let name = names.withLock({ $0[key] }) { return name }
        let name = IdentityCompanions.Declaration(key: item.key, type: item.type).name
        names.withLock { $0[key] = name }
        return name
    }

    private static let saidFull: Void = StandardError.print(
        "MultiIdentity: \(OtherLocals.most) task-locals are carried. Those that are bound from now on for the first time are not."
    )

    /// The task-local of an item; `nil` if its key is no object of Swift's class for them.
    private func companion(_ item: mi_bound_item) -> (any CompanionLocal)? {
        // A metatype is one pointer, and the key is the address of the object.
        let type = unsafeBitCast(item.type, to: (any Sendable.Type).self)
        func companion<Value: Sendable>(_: Value.Type) -> (any CompanionLocal)? {
            // The memory behind a key that a task kept for too long can be anything.
            if item.key.load(as: UnsafeRawPointer.self) != metadata(of: TaskLocal<Value>.self) { return nil }
            return Companion(Borrowed<TaskLocal<Value>>(at: item.key).object)
        }
        return companion(type)
    }
}
