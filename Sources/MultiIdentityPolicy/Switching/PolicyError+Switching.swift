public import MultiIdentity

extension ErrorCode where Failure == PolicyError {
    /// These levels already have a switcher.
    package static var levelsAreServed: Self { Self() }
    /// The code on main that requested the switch is bound to another identity, ``PolicyError/identity``.
    public static var boundToAnother: Self { Self() }
    /// A launch check of a running switch requested a switch, which would wait for the running one.
    package static var insideLaunchCheck: Self { Self() }
    /// A launch check did not pass.
    package static var checkFailed: Self { Self() }
    /// A launch check, all of them together, or the delegate did not answer in time.
    public static var timedOut: Self { Self() }
    /// The runtime needs a switch, and ``IdentitySwitcher/delegate`` is not set or was released.
    package static var noDelegate: Self { Self() }
    /// The delegate answered that the switch failed, or released the request without an answer.
    package static var delegateFailed: Self { Self() }
}

/// Why a switch was refused or failed.
extension PolicyError {
    static func boundToAnother(_ identity: Identity) -> Self {
        Self(
            .boundToAnother,
            of: identity,
            """
            the code on main that requested the switch is bound to \(identity), and would continue as that identity; \
            request it outside of that scope, or inside withIdentity(nil)
            """
        )
    }

    static func accountNotAllowed(reason: String) -> Self {
        Self(.notAllowed, "the policy refuses the account: \(reason)")
    }

    static let revoked = Self(.revoked, "the identity is revoked; sign it in again before it is shown")

    static let insideLaunchCheck = Self(
        .insideLaunchCheck,
        """
        a launch check of a running switch requested the switch, which would wait for that check; let the check answer \
        first, and switch afterwards
        """
    )

    static func check(name: String, reason: String) -> Self {
        Self(.checkFailed, "the launch check '\(name)' did not pass: \(reason)")
    }

    static func checkTookTooLong(name: String, limit: Duration) -> Self {
        Self(
            .timedOut,
            "the launch check '\(name)' did not answer within \(limit); answer earlier, or raise SwitchDeadlines.check"
        )
    }

    static func checksTookTooLong(name: String, limit: Duration) -> Self {
        Self(
            .timedOut,
            """
            the launch checks did not end within \(limit), at '\(name)'; have them answer sooner, or raise \
            SwitchDeadlines.allChecks
            """
        )
    }

    static let noDelegate = Self(
        .noDelegate,
        "there is no delegate to switch; set IdentitySwitcher.delegate, and keep it alive"
    )

    static func delegate(reason: String) -> Self { Self(.delegateFailed, "the delegate answered: \(reason)") }

    static func delegateTookTooLong(limit: Duration) -> Self {
        Self(
            .timedOut,
            "the delegate did not answer within \(limit); answer earlier, or raise SwitchDeadlines.delegate"
        )
    }

    static let delegateGaveNoAnswer = Self(
        .delegateFailed,
        "the delegate released the request unanswered; call succeed() or fail(_:) on every path"
    )
}
