import Dispatch
import MultiIdentity
@_spi(Catalogue) import MultiIdentityDoctor

/// One hop over a row of the catalogue: the request hands over, and a stranger acts at every other moment.
struct Crossing: Sendable {
    let row: CataloguedBoundary
    let hop: Hop
    let way: Way
    let queue: DispatchQueue
    let shared: SharedGround

    /// Up to the capture, as the request; what is returned hands over, or sets the work off.
    private func prepared(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let carries = way == .carried
        return PreparedCrossing.prepare(
            row,
            carries: carries,
            others: hop.stranger,
            sharing: shared,
            on: queue,
            work
        )
    }

    /// One call on this thread, after which the caller is asked.
    ///
    /// Raw it keeps the identity on Linux, so when broken its work runs as a stranger.
    func runHere() {
        let cross = prepared { hop.run(isOnMain: hop.callerIsOnMain) }
        if way == .carried { cross() } else { hop.raw(cross) }
        hop.checkCallersThread(isOnMain: hop.callerIsOnMain)
    }

    /// On the thread on which a stranger sets it off: here, on a queue or in a task.
    ///
    /// The stranger is asked after that.
    func runWhereStrangerActs() {
        let isHere = hop.step.variant & 3 == 0
        let isOnMain = isHere && hop.callerIsOnMain
        let setOff = prepared { hop.run(isOnMain: isOnMain) }
        let act: @Sendable () -> Void = {
            withIdentity(hop.stranger) {
                setOff()
                hop.checkStrangersWorker(isOnMain: isOnMain)
            }
        }
        if isHere { return act() }
        hop.request.enter()
        let actAndLeave: @Sendable () -> Void = {
            act()
            hop.request.leave()
        }
        if hop.step.variant & 1 == 0 {
            hop.lane.given.async(execute: actAndLeave)
        } else {
            Task.detached { actAndLeave() }
        }
    }

    /// On a worker, which is asked at the end of the work; a stranger sets it off here, or from work of its own.
    func runElsewhere(askWorker: @escaping @Sendable () -> Void) {
        let isOnMain = row.isOnMain
        let setOff = prepared { hop.run(isOnMain: isOnMain, atItsEnd: askWorker) }
        let request = hop.request
        if row.worker == .elsewhereAwaited, way == .raw { return hop.raw(setOff) }
        if row.isOneCall || hop.step.variant & 1 == 0 { return setOff() }
        request.enter()
        withIdentity(hop.stranger) {
            hop.lane.serial.async {
                hop.check(request.expectedOfStranger, .companion, isOnMain: false)
                setOff()
                request.leave()
            }
        }
    }
}

extension CataloguedBoundary {
    /// True if its work runs on main.
    var isOnMain: Bool { name.hasPrefix("DispatchQueue.main") || name == "a call on the main actor" }
}
