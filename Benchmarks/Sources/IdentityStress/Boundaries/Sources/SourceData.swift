import Dispatch
import MultiIdentity

/// `source.propagatingIdentity.setEventHandler` of a source of user data, which a stranger adds to.
///
/// A raw closure behind the handler on the same queue asks the worker.
struct SourceData: CarriedBoundary {
    let name = "data-add source, event"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.serial.base
        let source = Self.source(on: queue, way) { hop.run { hop.askWorker(on: queue) } }
        withIdentity(hop.stranger) { source.add(data: 1) }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.serial.base
        let work = block.work
        block.each { Self.source(on: queue, way, work).add(data: 1) }
    }

    /// A source that takes data once: its handler keeps it until then.
    private static func source(
        on queue: DispatchQueue,
        _ way: Way,
        _ work: @escaping @Sendable () -> Void
    ) -> IdentitySource<any DispatchSourceUserDataAdd> {
        let source = DispatchSource.makeUserDataAddSource(queue: queue).propagatingIdentity
        source.setEventHandler(way) {
            work()
            source.cancel()
        }
        source.activate()
        return source
    }
}
