import MultiIdentity
import Testing

@testable import MultiIdentityPolicy

@Suite("An error of a switch") struct SwitchOutcomeTests {
    private static let outcomes: [(PolicyError, PolicyError.Code, text: String)] = [
        (.boundToAnother(Users.eve), .boundToAnother, "requested the switch is bound to eve@example.com"),
        (.accountNotAllowed(reason: "not on the list"), .notAllowed, "the policy refuses the account: not on the list"),
        (.revoked, .revoked, "sign it in again before it is shown"),
        (.insideLaunchCheck, .insideLaunchCheck, "let the check answer first, and switch afterwards"),
        (.check(name: "disk", reason: "full"), .checkFailed, "the launch check 'disk' did not pass: full"),
        (.checkTookTooLong(name: "disk", limit: .seconds(2)), .timedOut, "'disk' did not answer within 2.0 seconds"),
        (.checksTookTooLong(name: "disk", limit: .seconds(3)), .timedOut, "did not end within 3.0 seconds, at 'disk'"),
        (.noDelegate, .noDelegate, "set IdentitySwitcher.delegate, and keep it alive"),
        (.delegate(reason: "a draft is open"), .delegateFailed, "the delegate answered: a draft is open"),
        (.delegateTookTooLong(limit: .seconds(4)), .timedOut, "the delegate did not answer within 4.0 seconds"),
        (.delegateGaveNoAnswer, .delegateFailed, "call succeed() or fail(_:) on every path"),
    ]

    @Test("says by its code and its text what was wrong, with which value, and what to do", arguments: outcomes)
    func saysWhatWasWrong(_ error: PolicyError, _ code: PolicyError.Code, _ text: String) {
        #expect(error.code == code && error.message.contains(text))
        #expect("\(SwitchResult.notAllowed(error))" == "not allowed: \(error.message)")
    }
}
