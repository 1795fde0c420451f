import CMultiIdentity

extension IdentityCompanions {
    /// A task-local that was found bound where work was captured.
    public struct Declaration: @unchecked Sendable {
        // `@unchecked Sendable`: the task-local behind the key is never freed once it is known, and a type never is.
        let key: UnsafeRawPointer
        let type: UnsafeRawPointer

        /// The name of the declaration, such as `App.Request.$log`; without symbols, `TaskLocal` and the type of its value.
        ///
        /// - Complexity: O(symbols of the program and its libraries), some milliseconds; O(1) when it has been looked up.
        public var name: String {
            let place = UInt(bitPattern: key)
            if let name = Self.names.withLock({ $0[place] }) { return name }
            let name = readName()
            Self.names.withLock { $0[place] = name }
            return name
        }

        private func readName() -> String {
            guard let text = mi_symbol_of_task_local(key) else {
                return "TaskLocal<\(unsafeBitCast(type, to: Any.Type.self))>"  // a metatype is one pointer
            }
            defer { free(text) }
            return String(cString: text)
        }

        private static let names = Locked<[UInt: String]>([:])
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
    /// At most 128 task-locals become known; then a message on standard error says that no further ones are carried.
    /// ``maximumCaptures`` limits what waiting work retains. Calling it again without a policy has no effect.
    ///
    /// - Parameter policy: Returns the treatment of a task-local when it is first seen; two threads can ask at once.
    ///   Work that it hands over carries no companions.
    /// - Throws: ``IdentityError`` with the code `unknownRuntime` if the trial failed: name the task-locals instead. With the
    ///   code `policyAlreadySet` if they are carried already and this call has a policy. Nothing has changed then.
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
        var isFirst = true
        change {
            isFirst = $0.others == nil
            return isFirst ? $0.with(others: OtherLocals(CarryAllPolicy(treatment: policy), leaving: own)) : nil
        }
        if isFirst || policy == nil { return }
        throw IdentityError(
            .policyAlreadySet,
            "All task-locals are carried already, and each keeps the treatment that it has: call carryAll(_:) once, with one policy."
        )
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

    func report(_ item: mi_bound_item, of work: IdentitySnapshot) {
        if FindingExemption.isInForce { return }
        let name = IdentityCompanions.Declaration(key: item.key, type: item.type).name
        var finding = Finding(
            kind: .refusedTaskLocal,
            identity: work.identity,
            site: work.site,
            hops: work.hops,
            message: "work was handed over while \(name) is bound, which must not be; the work has its default."
        )
        finding.origin = .here()
        work.levels.diagnosticSettings.notify(finding)
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
