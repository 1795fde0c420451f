import MultiIdentity

/// `onTermination` of a stream's continuation: runs as the identity that set it, when a stranger finishes the stream.
///
/// The stranger is asked after the call.
struct StreamTermination: CarriedBoundary {
    let name = "AsyncStream, onTermination"

    func handOver(_ hop: Hop, _ way: Way) {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        set({ hop.run() }, on: continuation, way)
        hop.request.enter()
        Task.detached {
            withIdentity(hop.stranger) {
                withExtendedLifetime(stream) { continuation.finish() }
                hop.checkStrangersWorker()
            }
            hop.request.leave()
        }
    }

    private func set(
        _ work: @escaping @Sendable () -> Void,
        on continuation: AsyncStream<Never>.Continuation,
        _ way: Way
    ) {
        switch way {
        case .carried: continuation.propagatingIdentity.onTermination = { _ in work() }
        case .raw: continuation.onTermination = { _ in work() }
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let work = block.work
        block.each {
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            set(work, on: continuation, way)
            withExtendedLifetime(stream) { continuation.finish() }
        }
    }
}
