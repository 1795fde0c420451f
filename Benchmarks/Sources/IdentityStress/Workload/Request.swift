import Dispatch
import MultiIdentity
import Synchronization

/// One request in flight: its identity, what it is going to do, and what is to be found on the way.
final class Request: Sendable {
    let stress: Stress
    /// From 0, in the order in which requests came.
    let number: Int
    let steps: [Step]
    let identity: Identity?
    let levels: IdentityLevels?
    let expected: Expectation
    /// Somebody else, for scopes inside the work and around the workers.
    let stranger: Identity
    let expectedOfStranger: Expectation
    /// Pieces of work that have not ended, the one that begins the chain among them.
    private let pending = Atomic(1)

    init(_ call: Call, number: Int, steps: [Step], stress: Stress) {
        self.stress = stress
        self.number = number
        self.steps = steps
        identity = call.identity
        let levels = call.levels.map { LevelsChoice.all[$0] }
        self.levels = levels?.levels
        expected = Expectation(
            thread: call.identity,
            twin: call.twin,
            ui: levels == nil ? stress.host.ui : levels?.ui,
            process: levels == nil ? stress.host.process : levels?.process
        )
        let stranger = Stranger.other(than: call.identity, number)
        self.stranger = stranger.identity
        expectedOfStranger = stranger.expected
    }

    /// Goes through all steps; returns when the calling thread has nothing more to do with it.
    func begin() {
        asItself { handOver(from: 0, isOnMain: false) }
        leave()
    }

    /// Runs `body` as this request is meant to run.
    func asItself(_ body: () -> Void) {
        if let levels {
            withIdentityLevels(levels) { withIdentity(identity, body) }
        } else {
            withIdentity(identity, body)
        }
    }

    /// Hands the rest of the chain over its next boundary.
    func handOver(from index: Int, isOnMain: Bool) {
        guard index < steps.count else { return }
        let place = Int(steps[index].boundary)
        let hop = Hop(request: self, index: index, callerIsOnMain: isOnMain)
        stress.tallies[place].countHandedOver()
        enter()
        BoundaryCatalogue.all[place].handOver(hop, stress.isRaw(place) ? .raw : .carried)
        hop.check(expected, .caller, isOnMain: isOnMain)
    }

    /// Before handing over a piece of work that the request lasts as long as.
    func enter() { pending.add(1, ordering: .relaxed) }

    /// At the end of such a piece of work.
    func leave() {
        if pending.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { stress.slots.signal() }
    }
}
