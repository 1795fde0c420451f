import CMultiIdentity

/// The last place where a thread, or task, had an identity: what strict mode reports of work that has none.
///
/// Kept only while strict mode is on, and for so many threads and tasks at most.
final class LastKnown: Sendable {
    /// As text: whom nobody else remembers is not to be kept alive for this.
    let identity: String
    let site: BindingSite?

    private init(_ identity: String, _ site: BindingSite?) {
        self.identity = identity
        self.site = site
    }

    private static let limit = 4_096
    private static let scopes = Locked<[UInt: LastKnown]>([:])

    /// Notes that `scope` has just ended here.
    static func note(_ scope: ScopeRecord) {
        guard BindingFeatures.inUse.contains(.strictness), let identity = scope.identity else { return }
        let (here, last) = (here, LastKnown("\(identity)", scope.site))
        scopes.withLock { scopes in
            if scopes.count >= limit, scopes[here] == nil { scopes.removeAll(keepingCapacity: true) }
            scopes[here] = last
        }
    }

    /// The record of the scope that ended here last.
    static var last: LastKnown? {
        let here = here
        return scopes.withLock { $0[here] }
    }

    /// This task, or this thread.
    private static var here: UInt {
        if let task = swift_task_getCurrent() { return UInt(bitPattern: task) }
        return UInt(bitPattern: mi_thread_current())
    }
}
