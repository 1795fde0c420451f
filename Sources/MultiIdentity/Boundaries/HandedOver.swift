/// One piece of work and whom it is for, in one allocation.
final class HandedOver: Sendable {
    private let snapshot: IdentitySnapshot
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        snapshot = .capture()
        self.work = work
    }

    func run() { snapshot.restore(work) }
}
