import Dispatch

/// One piece of work in a batch, and whom it is for.
///
/// Not copied, so that nothing is retained on its way but what it takes along.
struct BatchedWork: ~Copyable, Sendable {
    let work: @Sendable () -> Void
    let captured: BoundaryCapture
    /// Not so for a work item, which captured when it was made: it runs as its worker is.
    let isCarried: Bool
    /// The group that it counts for; entered already.
    private let group: DispatchGroup?

    init(_ work: @escaping @Sendable () -> Void, _ captured: BoundaryCapture, for group: DispatchGroup? = nil) {
        self.work = work
        self.captured = captured
        isCarried = true
        self.group = group
    }

    init(item: DispatchWorkItem, for group: DispatchGroup? = nil) {
        // `nonisolated(unsafe)`: a thread-safe object of libdispatch, which on Linux lacks the word for it.
        nonisolated(unsafe) let item = item
        work = { item.perform() }
        captured = BoundaryCapture(of: .nothing, at: .workItem)
        isCarried = false
        self.group = group
    }

    /// True if a binding has to be made for it: in other cases it finds what it needs, or looks after itself.
    var needsBinding: Bool {
        isCarried && Route.here == .plain
            && ThreadMirror.currentBits != ThreadMirror.bits(of: captured.snapshot)
    }

    /// Runs it, as the captured identity where it is carried.
    func run() {
        if isCarried { captured.restoreOnce(work) } else { work() }
    }

    /// The same where there is a binding already.
    @inline(__always)
    func run(in place: BindingPlace) {
        if isCarried, Route.here == .plain {
            place.bind(captured.snapshot, for: work)
        } else {
            run()
        }
    }

    /// Lets go of it, when it has run, and then has its group hear of that.
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
