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
        /// The work has the task-local's default value.
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
    /// A task-local becomes known when work is captured while it is bound, and is a companion from then on. Task-locals that
    /// were named before keep the form in which they were named.
    ///
    /// Swift's runtime has no entry for this. The list of bindings is read as a trial at the first call found it in this very
    /// process.
    ///
    /// At most 128 become known; the first one beyond them is reported on standard error, and is not carried.
    ///
    /// - Parameter policy: Returns the treatment of a task-local when it is first seen; two threads can ask at once.
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
        change { $0.others == nil ? $0.with(others: OtherLocals(policy, leaving: own)) : nil }
    }

    /// Makes the task-local of this key known, whose values are of this type.
    static func learn(_ key: UnsafeRawPointer, of type: UnsafeRawPointer) {
        // Outside the lock, since the policy is the program's.
        guard let others = CompanionLocals.current?.others else { return }
        let local = companion(key, of: type)
        var treatment = Treatment.carry
        if local != nil, let policy = others.policy {
            treatment = CompanionReading.run { policy(Declaration(key: key, type: type)) }
        }
        change { old in
            guard let others = old.others, !old.knows(key) else { return nil }
            if let local, treatment == .carry { return old.with(locals: [local]) }
            return old.with(others: others.leaving(key, local, isRefused: treatment == .refuse))
        }
        if CompanionLocals.current?.table.pointee.is_full == true { _ = saidFull }
    }

    private static let saidFull: Void = StandardError.print(
        "MultiIdentity: \(OtherLocals.most) task-locals are carried. Those that are bound from now on for the first time are not."
    )

    /// The task-local of this key; `nil` if it is no object of Swift's class for them.
    private static func companion(_ key: UnsafeRawPointer, of type: UnsafeRawPointer) -> (any CompanionLocal)? {
        // A metatype is one pointer, and the key is the address of the object.
        let type = unsafeBitCast(type, to: (any Sendable.Type).self)
        func companion<Value: Sendable>(_: Value.Type) -> (any CompanionLocal)? {
            (Borrowed<AnyObject>(at: key).object as? TaskLocal<Value>).map(Companion.init)
        }
        return companion(type)
    }
}
