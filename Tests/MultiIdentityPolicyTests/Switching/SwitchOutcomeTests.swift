import MultiIdentity
import MultiIdentityPolicy
import Testing

@Suite("The reason why a switch did not come about") struct SwitchOutcomeTests {
    @Test("says what was wrong, with which value, and what to do")
    func failures() {
        let texts: [SwitchFailure: String] = [
            .check(name: "disk", reason: "full"): "the launch check 'disk' was not passed: full",
            .checkTookTooLong(name: "disk", limit: .seconds(2)):
                "the launch check 'disk' did not answer within 2.0 seconds; have it answer, or raise SwitchDeadlines.check",
            .checksTookTooLong(name: "disk", limit: .seconds(3)):
                "the launch checks did not end within 3.0 seconds, at 'disk'; have them answer sooner, or raise "
                + "SwitchDeadlines.allChecks",
            .noDelegate: "there is no delegate to switch; set IdentitySwitcher.delegate, and keep it alive",
            .delegate(reason: "a draft is open"): "the delegate answered: a draft is open",
            .delegateTookTooLong(limit: .seconds(4)):
                "the delegate did not answer within 4.0 seconds; have it answer, or raise SwitchDeadlines.delegate",
            .delegateGaveNoAnswer:
                "the delegate let go of the request unanswered; call succeed() or fail(_:) on every way",
        ]
        for (failure, text) in texts { #expect(failure.description == text) }
    }

    @Test("names who is bound, where that refuses it")
    func refusals() throws {
        let texts: [SwitchRefusal: String] = [
            .boundToAnother(try Identity("eve@contoso.com")): "bound to eve@contoso.com",
            .accountNotAllowed(reason: "not on the list"): "the policy refuses the account: not on the list",
            .revoked: "the identity is revoked; sign it in again before it is shown",
            .insideLaunchCheck: "let the check answer first, and switch afterwards",
        ]
        for (refusal, text) in texts { #expect(refusal.description.contains(text)) }
    }
}
