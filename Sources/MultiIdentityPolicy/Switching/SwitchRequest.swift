public import MultiIdentity

/// A switch that the runtime requires; answer it once, with ``succeed()`` or ``fail(_:)``.
///
/// The first answer counts. A second or late answer is ignored, and reported to the diagnostics of the switcher's
/// levels. Releasing a request without an answer is a failure at once.
public final class SwitchRequest: Sendable {
    /// The identity to switch to; `Identity.nobody` for a switch to unmanaged, `nil` to unset the level.
    public let identity: Identity?
    /// The reason for the switch.
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

    /// Answers that the program is ready: the switch is made now, unless the program has already made it.
    public func succeed() { give(.success) }

    /// Answers that the program cannot switch.
    ///
    /// - Parameter reason: The reason in words.
    public func fail(_ reason: String) { give(.failed(.delegate(reason: reason))) }

    private func give(_ result: SwitchResult) {
        let isSecond = wasAnswered.withLock { wasAnswered in
            defer { wasAnswered = true }
            return wasAnswered
        }
        if isSecond {
            notify("a second time, with \(result); the first answer counts")
        } else if !answer.give(result), case .failed = answer.given {
            notify("after its deadline, with \(result); the switch has failed")
        }
    }

    private func notify(_ what: String) {
        let whom = identity.map { "\($0)" } ?? "unset"
        levels.notifyOfSwitching(identity, "the delegate answered the request for a switch to \(whom) \(what).")
    }
}
