import MultiIdentity

/// One hand-over that is under way: what a boundary runs on the other side.
struct Hop: Sendable {
    let request: Request
    /// The position in the request's steps.
    let index: Int
    /// True if the handing code counts as main.
    let callerIsOnMain: Bool

    var step: Step { request.steps[index] }
    /// The queues of this step.
    ///
    /// Work that waits holds only lanes before this one, so that nobody waits in a circle.
    var lane: Lane { request.stress.lanes[index] }
    var stranger: Identity { request.stranger }
    var tally: Tally { request.stress.tallies[Int(step.boundary)] }

    /// The work: checks, and hands the rest of the chain over from within.
    ///
    /// - Parameters:
    ///   - isOnMain: Whether the work counts as on main.
    ///   - atItsEnd: Called when that is done, still in the work.
    func run(isOnMain: Bool = false, atItsEnd: () -> Void = {}) {
        tally.countRun()
        if check(request.expected, .work, isOnMain: isOnMain) {
            goOn(isOnMain: isOnMain)
        } else {
            // Put right, so that the boundaries behind this one are not blamed for it.
            request.asItself {
                let isAsSaid = request.expected.mismatch(isOnMain: isOnMain) == nil
                goOn(isOnMain: isAsSaid ? isOnMain : !isOnMain)
            }
        }
        atItsEnd()
        request.leave()
    }

    /// Calls what keeps the identity even raw: as a stranger, where it is to be broken.
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

    /// Counts and reports what is not as expected here.
    @discardableResult
    func check(_ expected: Expectation, _ place: Place, isOnMain: Bool) -> Bool {
        guard let difference = expected.mismatch(isOnMain: isOnMain) else { return true }
        tally.countWrong()
        request.stress.mismatches.record(difference, at: place, of: self)
        return false
    }
}
