import Dispatch

/// One piece of work in a batch, and its captured identity.
///
/// It is not copyable, so that moving it retains nothing.
struct BatchedWork: ~Copyable, Sendable {
    let work: @Sendable () -> Void
    let captured: BoundaryCapture
    /// False for a work item, which was captured when it was made: it runs as its worker's identity.
    let isCarried: Bool
    /// The group that it counts for, which it has already entered.
    private let group: DispatchGroup?

    init(_ work: @escaping @Sendable () -> Void, _ captured: BoundaryCapture, for group: DispatchGroup? = nil) {
        self.work = work
        self.captured = captured
        isCarried = true
        self.group = group
    }

    init(item: DispatchWorkItem, for group: DispatchGroup? = nil) {
        // `nonisolated(unsafe)`: a thread-safe object of libdispatch, which is not marked `Sendable` on Linux.
        nonisolated(unsafe) let item = item
        work = { item.perform() }
        captured = BoundaryCapture(of: .nothing, at: .workItem)
        isCarried = false
        self.group = group
    }

    /// True if it needs a binding: otherwise its identity is already bound, or it binds one itself.
    var needsBinding: Bool {
        isCarried && Route.isPlainForWork
            && ThreadMirror.currentBits != ThreadMirror.bits(of: captured.snapshot)
    }

    /// Runs it, as the captured identity if it carries one.
    func run() {
        if isCarried { captured.restoreOnce(work) } else { work() }
    }

    /// Runs it inside an existing binding.
    @inline(__always)
    func run(in place: BindingPlace) {
        if isCarried, Route.isPlainForWork {
            place.bind(captured.snapshot, for: work)
        } else {
            run()
        }
    }

    /// Releases it after it has run, and then leaves its group.
    consuming func end() {
        guard let group else { return }
        end(in: group)
    }

    @inline(never)
    private consuming func end(in group: DispatchGroup) {
        _ = consume self
        group.leave()
    }
}
