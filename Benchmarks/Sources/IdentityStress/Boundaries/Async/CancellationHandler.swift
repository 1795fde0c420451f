import MultiIdentity

/// `Task.propagatingIdentity.withCancellationHandler`: runs as its registrar, when a stranger cancels the task.
///
/// The stranger is asked after the call.
struct CancellationHandler: CarriedBoundary {
    let name = "withTaskCancellationHandler, onCancel"

    func handOver(_ hop: Hop, _ way: Way) {
        let task = register({ hop.run() }, way)
        hop.request.enter()
        Task.detached {
            withIdentity(hop.stranger) {
                task.cancel()
                hop.checkStrangersWorker()
            }
            hop.request.leave()
        }
    }

    /// A task that has registered `work` when this returns, since it starts at once.
    private func register(_ work: @escaping @Sendable () -> Void, _ way: Way) -> Task<Void, Never> {
        Task.immediate {
            switch way {
            case .carried:
                await Task.propagatingIdentity.withCancellationHandler(operation: untilCancelled, onCancel: work)
            case .raw: await withTaskCancellationHandler(operation: untilCancelled, onCancel: work)
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
        block.each { register(work, way).cancel() }
    }
}
