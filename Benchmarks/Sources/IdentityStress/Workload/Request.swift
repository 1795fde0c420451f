import Dispatch
import MultiIdentity
import Synchronization

/// One request in flight: its identity, its steps, and what is expected on the way.
final class Request: Sendable {
    let stress: Stress
    /// The number of the request, from 0, in the order of arrival.
    let number: Int
    let steps: [Step]
    let identity: Identity?
    let levels: IdentityLevels?
    let expected: Expectation
    /// Another identity, for scopes inside the work and around the workers.
    let stranger: Identity
    let expectedOfStranger: Expectation
    /// Pieces of work that have not ended, including the one that starts the chain.
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

    /// Runs the steps, and returns when the calling thread is no longer needed.
    func begin() {
        asItself { handOver(from: 0, isOnMain: false) }
        leave()
    }

    /// Runs `body` as this request.
    func asItself(_ body: () -> Void) {
        Features.with(identity) {
            if let levels {
                withIdentityLevels(levels) { withIdentity(identity, body) }
            } else {
                withIdentity(identity, body)
            }
        }
    }

    /// Hands the rest of the chain over the next boundary.
    func handOver(from index: Int, isOnMain: Bool) {
        guard index < steps.count else { return }
        let place = Int(steps[index].boundary)
        let hop = Hop(request: self, index: index, callerIsOnMain: isOnMain)
        stress.tallies[place].countHandedOver()
        enter()
        BoundaryCatalogue.all[place].handOver(hop, stress.isRaw(place) ? .raw : .carried)
        hop.check(expected, .caller, isOnMain: isOnMain)
    }

    /// Call this before handing over a piece of work that the request must wait for.
    func enter() { pending.add(1, ordering: .relaxed) }

    /// Call this at the end of such a piece of work.
    func leave() {
        if pending.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { stress.slots.signal() }
    }
}
