import Dispatch
import MultiIdentity
@_spi(Catalogue) import MultiIdentityDoctor

/// One hop over a row of the catalogue: the request hands over, and a stranger acts at all other moments.
struct Crossing: Sendable {
    let row: CataloguedBoundary
    let hop: Hop
    let way: Way
    let queue: DispatchQueue
    let shared: SharedGround

    /// Runs the steps up to the capture as the request, and returns the closure that hands over or triggers the work.
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

    /// Makes one call on this thread, and then checks the caller.
    ///
    /// Without the package the call keeps the identity on Linux, so a broken call runs its work as a stranger.
    func runHere() {
        let cross = prepared { hop.run(isOnMain: hop.callerIsOnMain) }
        if way == .carried { cross() } else { hop.raw(cross) }
        hop.checkCallersThread(isOnMain: hop.callerIsOnMain)
    }

    /// Runs the work on the thread on which a stranger triggers it: here, on a queue or in a task.
    ///
    /// The stranger is checked afterwards.
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

    /// Runs the work on a worker, which is checked at its end; a stranger triggers it here, or from its own work.
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
    /// True if the work runs on main.
    var isOnMain: Bool { name.hasPrefix("DispatchQueue.main") || name == "a call on the main actor" }
}
