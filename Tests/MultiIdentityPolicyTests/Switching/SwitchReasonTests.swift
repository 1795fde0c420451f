import MultiIdentity
import Testing

@testable import MultiIdentityPolicy

@Suite("The reason for a requested switch", .rule("9.5")) struct SwitchReasonTests {
    @Test(
        "reaches the delegate with a kind to act on and a text to show",
        arguments: [
            (SwitchReason(.linkOpened), "linkOpened"), (SwitchReason(.documentsImported, "two letters"), "two letters"),
            (SwitchReason(.checkCancelled), "checkCancelled"), (SwitchReason(.other), "other"),
        ]
    )
    func reaches(_ reason: SwitchReason, _ text: String) async throws {
        let fixture = try SwitcherFixture()
        let asked = Notes<SwitchReason>()
        fixture.appoint { request in
            asked.add(request.reason)
            request.succeed()
        }
        #expect(await fixture.switcher.requireSwitch(to: .nobody, reason: reason) == .success)
        #expect(asked.all == [reason] && "\(reason)" == text)
    }

    @Test("is a custom one if it is only text, whatever the text") func text() {
        let count = 2
        let reason: SwitchReason = "\(count) reminders are due"
        #expect(reason == SwitchReason(.other, "2 reminders are due"))
    }
}
