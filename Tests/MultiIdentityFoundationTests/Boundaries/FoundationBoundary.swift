import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

/// One way in which Foundation takes work and runs it later, as data: the suites check every promise for each.
struct FoundationBoundary: Sendable, CustomTestStringConvertible {
    typealias Work = @Sendable () -> Void

    /// The moment at which a boundary captures: when it gets the work, or only with the trigger.
    enum CapturePoint: Sendable {
        case given, setOff
    }

    /// The number of times that the work runs.
    enum Lifetime: Sendable {
        /// Once; it is then released, although the object that ran it is retained.
        case once
        /// Every time that it is triggered, until it is ended.
        case reusable
    }

    /// Work that a boundary got, on the thread that gave it.
    struct Given {
        /// Runs the work once more; on another worker it may run after this has returned.
        let setOff: () -> Void
        /// Ends it, whether it ran or not: invalidates, removes or cancels.
        let end: () -> Void

        init(setOff: @escaping () -> Void, end: @escaping () -> Void = {}) {
            self.setOff = setOff
            self.end = end
        }
    }

    let name: String
    let captured: CapturePoint
    let lifetime: Lifetime
    /// Gives the work to a new thread, timer, observer or handler.
    let give: @Sendable (@escaping Work) -> Given

    var testDescription: String { name }

    init(
        _ name: String,
        captured: CapturePoint = .given,
        _ lifetime: Lifetime,
        give: @escaping @Sendable (@escaping Work) -> Given
    ) {
        self.name = name
        self.captured = captured
        self.lifetime = lifetime
        self.give = give
    }

    static let all = threads + timers + runLoops + notifications + messages + processes + fileHandles + progress

    /// Boundaries that take the work before the trigger, and so may never run it.
    static var waiting: [FoundationBoundary] { all.filter { $0.captured == .given } }

    static var once: [FoundationBoundary] { all.filter { $0.lifetime == .once } }

    static var reusable: [FoundationBoundary] { all.filter { $0.lifetime == .reusable } }
}

extension FoundationBoundary.Given {
    /// Creates a boundary where a single call gives and triggers the work.
    static func byOneCall(
        _ work: @escaping FoundationBoundary.Work,
        _ call: @escaping (@escaping FoundationBoundary.Work) -> Void
    ) -> Self {
        let waiting = Locked<FoundationBoundary.Work?>(work)
        return Self(
            setOff: { if let work = waiting.take() { call(work) } },
            end: { waiting.withLock { $0 = nil } }
        )
    }
}

extension FoundationBoundary {
    /// Returns the results of `look` in work that `giver` gave and another identity triggered, on a separate thread.
    ///
    /// - Parameters:
    ///   - giver: The identity that gives the work.
    ///   - others: The identities that trigger it, in turn.
    ///   - look: The work.
    /// - Returns: The result of each run, and the binding after it at the trigger.
    func inWork<Value: Sendable>(
        givenBy giver: Identity?,
        setOffBy others: [Identity?],
        _ look: @escaping @Sendable () -> Value
    ) async -> (found: [Value], after: [Identity?]) {
        let found = Notes<Value>()
        let name = name
        let after = await onNewThread { () -> [Identity?] in
            let ran = DispatchSemaphore(value: 0)
            let given = withIdentity(giver) {
                give {
                    found.add(look())
                    ran.signal()
                }
            }
            let after = others.map { other in
                withIdentity(other) { () -> Identity? in
                    given.setOff()
                    precondition(ran.wait(timeout: .now() + 600) == .success, "\(name) ran nothing.")
                    return ThreadMirror.current().identity == IdentitySnapshot.bound.get().identity
                        ? Identity.current : nil
                }
            }
            given.end()
            return after
        }
        return (found.all, after)
    }
}
