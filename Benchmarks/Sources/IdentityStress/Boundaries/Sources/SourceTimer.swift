import Dispatch
import MultiIdentity

/// `source.propagatingIdentity.setEventHandler` of a timer that a stranger schedules and starts.
///
/// A raw closure behind the handler on the same queue asks the worker.
struct SourceTimer: CarriedBoundary {
    let name = "timer source, event"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.serial.base
        let timer = Self.timer(on: queue, way) { hop.run { hop.askWorker(on: queue) } }
        withIdentity(hop.stranger) {
            timer.schedule(deadline: .now() + .microseconds(Int(hop.step.variant)))
            timer.activate()
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.serial.base
        let work = block.work
        block.each {
            let timer = Self.timer(on: queue, way, work)
            timer.schedule(deadline: .now())
            timer.activate()
        }
    }

    /// A timer that fires once: its handler keeps it until then.
    private static func timer(
        on queue: DispatchQueue,
        _ way: Way,
        _ work: @escaping @Sendable () -> Void
    ) -> IdentitySource<any DispatchSourceTimer> {
        let timer = DispatchSource.makeTimerSource(queue: queue).propagatingIdentity
        timer.setEventHandler(way) {
            work()
            timer.cancel()
        }
        return timer
    }
}
