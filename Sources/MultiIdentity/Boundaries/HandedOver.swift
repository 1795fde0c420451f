/// One piece of work and whom it is for, in one allocation.
final class HandedOver: Sendable {
    private let captured: BoundaryCapture
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void, _ captured: BoundaryCapture) {
        self.captured = captured
        self.work = work
    }

    func run() { captured.restore(work) }
}
