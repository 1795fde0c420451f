import MultiIdentity

@testable import MultiIdentityPolicy

/// A switcher with levels, accounts, a clock and findings of its own.
struct Desk: Sendable {
    let levels: IdentityLevels
    let accounts: Bureau
    let clock = HeldClock()
    let findings = Notebook<IdentityFinding>()
    let switcher: IdentitySwitcher
    private let butlers = Notebook<Butler>()

    init(
        ui: Identity? = nil,
        isOnMain: Bool = false,
        checks: [LaunchCheck] = [],
        deadlines: SwitchDeadlines = SwitchDeadlines()
    ) throws {
        levels = IdentityLevels(ui: ui, mainProbe: MainProbe { isOnMain })
        levels.diagnostics.response = .report { [findings] in findings.add($0) }
        accounts = Bureau(levels)
        switcher = try IdentitySwitcher(
            accounts: accounts,
            checks: checks,
            deadlines: deadlines,
            clock: clock
        )
    }

    /// Makes a delegate that lives as long as this.
    func appoint(_ act: @escaping @Sendable (SwitchRequest) -> Void) {
        let butler = Butler(act)
        butlers.add(butler)
        switcher.delegate = butler
    }
}

/// Identities that tests switch between; the accounts of a ``Desk`` manage Ada and Grace.
enum Person {
    static var ada: Identity { get throws { try Identity("managed-ada@contoso.com") } }
    static var grace: Identity { get throws { try Identity("managed-grace@contoso.com") } }
    static var guest: Identity { get throws { try Identity("guest@fabrikam.com") } }
}
