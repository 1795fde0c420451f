import CMultiIdentity

/// Checks that work leaves its worker's binding unchanged, and reports the work if it does not.
///
/// Scopes are closures, and so always end; the sentinel finds unsafe code, a jump out of a scope, or a bug in this package.
struct PoolSentinel {
    private let snapshot: IdentitySnapshot
    private let isOn: Bool

    init(for snapshot: IdentitySnapshot, at boundary: IdentityBoundary, _ features: BindingFeatures) {
        self.snapshot = snapshot
        isOn = features.contains(.sentinel) && snapshot.levels.diagnosticSettings.watchesWorkers
    }

    /// Runs `work` and compares the binding afterwards with the one before.
    func watch(_ word: String, boundary: IdentityBoundary, _ work: () -> Void) {
        if !isOn { return work() }
        let before = WorkerState.here
        work()
        let after = WorkerState.here
        if before != after { notify(word, boundary, before, after) }
    }

    private func notify(_ word: String, _ boundary: IdentityBoundary, _ before: WorkerState, _ after: WorkerState) {
        let hops = snapshot.hops
        let work = hops.last?.description ?? boundary.name
        let subject = snapshot.identity.map { "\($0)" } ?? "unset"
        snapshot.levels.diagnosticSettings.notify(
            Finding(
                kind: .dirtyWorker,
                identity: snapshot.identity,
                site: hops.last?.site,
                hops: hops,
                message: """
                    work of \(subject), \(work), left its worker as \(after), but \(word) it as \(before); bind \
                    only with closures, and look for unsafe code or a jump out of a closure.
                    """
            )
        )
    }
}

/// The bindings of a worker, in the mirror and in the task-local.
private struct WorkerState: Equatable, CustomStringConvertible {
    private let mirror: UInt
    private let stored: UInt
    private let name: String

    static var here: WorkerState { WorkerState() }

    private init() {
        let stored = IdentitySnapshot.bound.get()
        self.stored = ThreadMirror.bits(of: stored)
        // A task's bindings are not mirrored: the two have to agree only on a thread without a task.
        mirror = mi_task_runs() ? self.stored : mi_thread_current().pointee.mirror
        name = ThreadMirror.current().identity.map { "\($0)" } ?? "unset"
    }

    static func == (one: WorkerState, other: WorkerState) -> Bool {
        one.mirror == other.mirror && one.stored == other.stored
    }

    var description: String { mirror == stored ? name : "\(name) (the task-local disagrees)" }
}
