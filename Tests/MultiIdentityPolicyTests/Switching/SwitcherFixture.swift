import MultiIdentity
import MultiIdentityDiagnostics

@testable import MultiIdentityPolicy

/// A switcher with its own levels, accounts, clock and findings.
struct SwitcherFixture: Sendable {
    let levels: IdentityLevels
    let accounts: FakeAccounts
    let clock = ManualClock()
    let findings = Notes<IdentityFinding>()
    let switcher: IdentitySwitcher
    private let delegates = Notes<FakeDelegate>()

    init(
        ui: Identity? = nil,
        isOnMain: Bool = false,
        checks: [LaunchCheck] = [],
        deadlines: SwitchDeadlines = SwitchDeadlines()
    ) throws {
        levels = IdentityLevels(ui: ui, mainProbe: { isOnMain })
        levels.diagnostics.response = .report { [findings] in findings.add($0) }
        accounts = FakeAccounts(levels)
        switcher = try IdentitySwitcher(of: accounts, checks: checks, deadlines: deadlines, clock: clock)
    }

    /// Creates a delegate that lives as long as this fixture.
    func appoint(_ act: @escaping @Sendable (SwitchRequest) -> Void) {
        let delegate = FakeDelegate(act)
        delegates.add(delegate)
        switcher.delegate = delegate
    }
}

extension LaunchCheck {
    /// Returns a check that passes once a gate is open.
    static func waiting(_ name: String, for gate: Gate) -> LaunchCheck {
        LaunchCheck(name) { _ in
            await gate.wait()
            return .passed
        }
    }
}

/// Identities that tests switch between; the accounts of a ``SwitcherFixture`` manage Ada and Grace.
enum Person {
    static let ada = Users.named("managed-ada@contoso.com")
    static let grace = Users.named("managed-grace@contoso.com")
    static let guest = Users.named("guest@fabrikam.com")
}
