import Dispatch
import MultiIdentity

/// `source.propagatingIdentity.setCancelHandler` of a source that a stranger cancels.
///
/// A raw closure behind the handler on the same queue asks the worker.
struct SourceCancel: CarriedBoundary {
    let name = "source.setCancelHandler"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.serial.base
        let source = Self.source(on: queue, way) { hop.run { hop.askWorker(on: queue) } }
        withIdentity(hop.stranger) { source.cancel() }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.serial.base
        let work = block.work
        block.each { Self.source(on: queue, way, work).cancel() }
    }

    private static func source(
        on queue: DispatchQueue,
        _ way: Way,
        _ work: @escaping @Sendable () -> Void
    ) -> IdentitySource<any DispatchSourceUserDataAdd> {
        let source = DispatchSource.makeUserDataAddSource(queue: queue).propagatingIdentity
        source.base.setEventHandler {}
        switch way {
        case .carried: source.setCancelHandler(handler: work)
        case .raw: source.base.setCancelHandler(handler: work)
        }
        source.activate()
        return source
    }
}
