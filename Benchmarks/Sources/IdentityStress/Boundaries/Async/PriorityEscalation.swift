import MultiIdentity

/// `Task.propagatingIdentity.withPriorityEscalationHandler`: runs as its registrar, when a stranger escalates
/// the task's priority.
///
/// The stranger is asked after the call.
struct PriorityEscalation: CarriedBoundary {
    let name = "withTaskPriorityEscalationHandler"

    func handOver(_ hop: Hop, _ way: Way) {
        let task = register({ hop.run() }, way)
        hop.request.enter()
        Task.detached {
            withIdentity(hop.stranger) {
                task.escalatePriority(to: .high)
                hop.checkStrangersWorker()
            }
            hop.request.leave()
            task.cancel()
        }
    }

    /// A task that has registered `work` when this returns, since it starts at once.
    private func register(_ work: @escaping @Sendable () -> Void, _ way: Way) -> Task<Void, Never> {
        Task.immediate(priority: .low) {
            switch way {
            case .carried:
                await Task.propagatingIdentity.withPriorityEscalationHandler(
                    operation: untilCancelled,
                    onPriorityEscalated: { _, _ in work() }
                )
            case .raw:
                await withTaskPriorityEscalationHandler(operation: untilCancelled) { _, _ in work() }
            }
        }
    }

    private func untilCancelled() async {
        let (never, continuation) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        withExtendedLifetime(continuation) {}
    }

    func run(_ block: HopBlock, _ way: Way) {
        let work = block.work
        block.each {
            let task = register(work, way)
            task.escalatePriority(to: .high)
            task.cancel()
        }
    }
}
