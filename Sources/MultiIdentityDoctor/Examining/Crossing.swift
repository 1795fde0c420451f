package import Dispatch
import Foundation
package import MultiIdentity

/// The doctor's crossing of a boundary: who acts at which moment, and which identity the work finds bound.
package final class Crossing: BoundaryCrossing {
    /// The findings of a piece of work.
    struct Note: Sendable {
        let identity: Identity?
        /// The identity in the doctor's companion.
        var companion: Identity?
        /// True if it ran on the thread that handed it over.
        let isOnCallersThread: Bool
    }

    /// The end of a crossing.
    enum Outcome: Sendable {
        case notes([Note])
        case refused(String)
        case timedOut
    }

    private struct State {
        var notes: [Note] = []
        var expected = 1
        var hasPassedAllMoments = false
        var hasRunPayload = false
        var refusal: String?
        var isClosed = false
        var callersThread: pthread_t?
        var cleanups: [@Sendable () -> Void] = []

        var isComplete: Bool { hasPassedAllMoments && (refusal != nil || notes.count >= expected) }

        /// Not while the crossing is running, since it may use what is cleaned up.
        mutating func cleanupsThatAreDue() -> [@Sendable () -> Void] {
            guard isClosed && hasPassedAllMoments else { return [] }
            defer { cleanups = [] }
            return cleanups.reversed()
        }
    }

    /// A serial queue that no other crossing uses.
    package let queue = DispatchQueue(label: "identity-doctor.crossing")
    package let carries: Bool
    /// A companion, bound at each moment to the identity that acts then.
    @TaskLocal static var companion: Identity?
    private let bindsCompanion: Bool
    private let binding: @Sendable (Moment) -> Binding
    private let payload: (@Sendable () -> Void)?
    private let state = Locked(State())
    private let completed = DispatchSemaphore(value: 0)

    /// The identity to bind at a moment.
    package enum Binding: Sendable {
        case identity(Identity?)
        /// Leaves what is bound around it.
        case nothingNew
    }

    /// - Parameters:
    ///   - carries: Whether to cross with this package.
    ///   - payload: What the work does, once, before the crossing ends itself; `nil` to examine it.
    ///   - bindsCompanion: Whether the doctor's companion is bound along with each identity.
    ///   - binding: What to bind at each moment.
    package init(
        carries: Bool,
        payload: (@Sendable () -> Void)? = nil,
        bindsCompanion: Bool = false,
        binding: @escaping @Sendable (Moment) -> Binding
    ) {
        self.carries = carries
        self.bindsCompanion = bindsCompanion
        self.payload = payload
        self.binding = binding
    }

    // MARK: For the rows of the catalogue

    package var work: @Sendable () -> Void { { self.runWork() } }

    package func at<Value>(_ moment: Moment, _ body: () -> Value) -> Value {
        state.withLock { $0.callersThread = pthread_self() }
        return switch binding(moment) {
        case .identity(let identity): bind(identity, body)
        case .nothingNew: body()
        }
    }

    private func bind<Value>(_ identity: Identity?, _ body: () -> Value) -> Value {
        withIdentity(identity) { bindsCompanion ? Self.$companion.withValue(identity, operation: body) : body() }
    }

    package func then(_ moment: Moment, _ body: @escaping () -> Void) { at(moment, body) }

    package func part(_ index: Int, of count: Int) -> @Sendable () -> Void {
        state.withLock { $0.expected = count }
        return work
    }

    package func refuse(_ reason: String) { change { $0.refusal = reason } }

    package func afterwards(_ cleanup: @escaping @Sendable () -> Void) {
        state.withLock { $0.cleanups.append(cleanup) }
    }

    private func runWork() {
        let (identity, companion) = (Identity.current, Self.companion)
        let isOnCallersThread = state.withLock { state in
            state.callersThread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
        }
        if let payload, isToRunPayload(isOnCallersThread) { payload() }
        change { state in
            // Some work, such as a source's, runs until it is stopped.
            if state.notes.count < 1_000 {
                state.notes.append(
                    Note(identity: identity, companion: companion, isOnCallersThread: isOnCallersThread)
                )
            }
        }
    }

    /// Runs once, on a helping thread if there is one.
    private func isToRunPayload(_ isOnCallersThread: Bool) -> Bool {
        state.withLock { state in
            let isLast = state.notes.count + 1 >= state.expected
            guard !state.hasRunPayload, !isOnCallersThread || isLast else { return false }
            state.hasRunPayload = true
            return true
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let isComplete = state.withLock { state in
            let wasComplete = state.isComplete
            if !state.isClosed { body(&state) }
            return !wasComplete && state.isComplete
        }
        guard isComplete else { return }
        guard payload != nil else {
            completed.signal()
            return
        }
        // Not on the pool where libdispatch releases channels: all its few threads would wait here.
        DispatchQueue(label: "identity-doctor.end").async { self.end() }
    }

    // MARK: For the examiner

    /// Crosses here, as the current identity if the plan says nothing else, and lets the crossing end itself.
    package func go(_ way: Way) {
        way(self)
        change { $0.hasPassedAllMoments = true }
        let cleanups = state.withLock { state in
            state.hasPassedAllMoments = true
            return state.cleanupsThatAreDue()
        }
        for cleanup in cleanups { cleanup() }  // the deadline came first
    }

    /// Crosses from `origin`, and ends when all is done or `deadline` has passed.
    ///
    /// - Returns: What the work found.
    func go(_ way: @escaping Way, from origin: Origin, around: Identity?, until deadline: DispatchTime) -> Outcome {
        origin.run { [self] in bind(around) { go(way) } }
        let isAnswered = completed.wait(timeout: deadline) == .success
        return end(isAnswered: isAnswered)
    }

    private func end() { _ = end(isAnswered: true) }

    private func end(isAnswered: Bool) -> Outcome {
        let (outcome, cleanups) = state.withLock { state -> (Outcome, [@Sendable () -> Void]) in
            state.isClosed = true
            let outcome: Outcome =
                if !isAnswered { .timedOut } else if let refusal = state.refusal { .refused(refusal) } else {
                    .notes(state.notes)
                }
            return (outcome, state.cleanupsThatAreDue())
        }
        for cleanup in cleanups { cleanup() }
        return outcome
    }
}
