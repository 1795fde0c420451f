import CMultiIdentity

/// Where each thread, or task, had an identity last: what strict mode tells of work that has none.
///
/// Kept only while strict mode is on, and for so many threads and tasks at most.
enum LastKnown {
    private static let limit = 4_096
    private static let scopes = Locked<[UInt: ScopeRecord]>([:])

    /// Notes that `scope` has just ended here.
    static func note(_ scope: ScopeRecord) {
        guard BindingFeatures.inUse.contains(.strictness), scope.identity != nil else { return }
        let here = here
        // What is forgotten goes outside the lock: the end of an identity may take other locks.
        _ = scopes.withLock { scopes -> [ScopeRecord] in
            var forgotten: [ScopeRecord] = []
            if scopes.count >= limit, scopes[here] == nil {
                forgotten = Array(scopes.values)
                scopes.removeAll(keepingCapacity: true)
            }
            if let last = scopes.updateValue(scope, forKey: here) { forgotten.append(last) }
            return forgotten
        }
    }

    /// The scope that ended here last.
    static var scope: ScopeRecord? { scopes.withLock { $0[here] } }

    /// This task, or this thread.
    private static var here: UInt {
        if let task = swift_task_getCurrent() { return UInt(bitPattern: task) }
        return UInt(bitPattern: mi_thread_current())
    }
}
