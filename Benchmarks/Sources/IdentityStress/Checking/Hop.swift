import MultiIdentity

/// One hand-over in progress: what a boundary runs on the other side.
struct Hop: Sendable {
    let request: Request
    /// The position in the request's steps.
    let index: Int
    /// True if the code that hands over counts as on main.
    let callerIsOnMain: Bool

    var step: Step { request.steps[index] }
    /// The queues of this step.
    ///
    /// Waiting work occupies only earlier lanes, so no circle of waits can form.
    var lane: Lane { request.stress.lanes[index] }
    var stranger: Identity { request.stranger }
    var tally: Tally { request.stress.tallies[Int(step.boundary)] }

    /// Runs the work: checks it, and hands the rest of the chain over from within.
    ///
    /// - Parameters:
    ///   - isOnMain: Whether the work counts as on main.
    ///   - atItsEnd: Called after that, still inside the work.
    func run(isOnMain: Bool = false, atItsEnd: () -> Void = {}) {
        tally.countRun()
        if check(request.expected, .work, isOnMain: isOnMain) {
            goOn(isOnMain: isOnMain)
        } else {
            // Bound again, so that later boundaries are not blamed for this one.
            request.asItself {
                let isAsSaid = request.expected.mismatch(isOnMain: isOnMain) == nil
                goOn(isOnMain: isAsSaid ? isOnMain : !isOnMain)
            }
        }
        atItsEnd()
        request.leave()
    }

    /// Makes a call that keeps the identity even without the package; a stranger makes it if it is to be broken.
    func raw(_ call: () -> Void) {
        if request.stress.isAutomatic { call() } else { withIdentity(stranger, call) }
    }

    private func goOn(isOnMain: Bool) {
        if step.bindsAnother {
            withIdentity(stranger) { _ = check(request.expectedOfStranger, .insideAnother, isOnMain: isOnMain) }
            check(request.expected, .afterAnother, isOnMain: isOnMain)
        }
        if step.nestsSync {
            lane.nested.sync { _ = check(request.expected, .nestedSync, isOnMain: isOnMain) }
        }
        request.handOver(from: index + 1, isOnMain: isOnMain)
    }

    /// Counts and reports a wrong identity here.
    @discardableResult
    func check(_ expected: Expectation, _ place: Place, isOnMain: Bool) -> Bool {
        var difference = expected.mismatch(isOnMain: isOnMain)
        if difference == nil, place == .work { difference = Features.mismatch(request.identity) }
        if difference == nil, place == .worker, expected.isOfBareWorker { difference = Features.mismatch(nil) }
        guard let difference = difference ?? Features.shownMismatch else { return true }
        tally.countWrong()
        request.stress.mismatches.record(difference, at: place, of: self)
        return false
    }
}
