public import MultiIdentity

/// A switch that the runtime asks for, to be answered once: ``succeed()`` or ``fail(_:)``.
///
/// The first answer counts. A second one is passed over and reported to the diagnostics of the switcher's levels, and
/// so is one that comes after the time was up. Letting go of a request without an answer is a failure at once.
public final class SwitchRequest: Sendable {
    /// The identity to switch to; nobody for a switch to unmanaged, `nil` for unsetting the level.
    public let identity: Identity?
    /// The reason why the switch is needed.
    public let reason: SwitchReason

    private let answer: Promise<SwitchResult>
    private let levels: IdentityLevels
    private let wasAnswered = Locked(false)

    init(_ identity: Identity?, reason: SwitchReason, answer: Promise<SwitchResult>, levels: IdentityLevels) {
        self.identity = identity
        self.reason = reason
        self.answer = answer
        self.levels = levels
    }

    deinit { answer.give(.failed(.delegateGaveNoAnswer)) }

    /// Answers that the program is ready: the switch is made now, unless the program has made it already.
    public func succeed() { give(.success) }

    /// Answers that there is to be no switch.
    ///
    /// - Parameter reason: Why, for people.
    public func fail(_ reason: String) { give(.failed(.delegate(reason: reason))) }

    private func give(_ result: SwitchResult) {
        let isSecond = wasAnswered.withLock { wasAnswered in
            defer { wasAnswered = true }
            return wasAnswered
        }
        if isSecond {
            tell("a second time, with \(result); the first answer stands")
        } else if !answer.give(result), case .failed = answer.given {
            tell("after its time was up, with \(result); the switch has failed")
        }
    }

    private func tell(_ what: String) {
        let whom = identity.map { "\($0)" } ?? "unset"
        levels.tellOfSwitching(identity, "the delegate answered the request for a switch to \(whom) \(what).")
    }
}
