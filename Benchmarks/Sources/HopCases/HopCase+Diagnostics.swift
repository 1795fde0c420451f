import MultiIdentity

/// The cost of `async` with one thing turned on; each case leaves it on, for one process to run one of them.
extension HopCase {
    static let diagnosticCases = [
        switchedOn("counters") { CarryCounters.areOn = true },
        companions(1, "a-companion"),
        companions(4, "four-companions"),
        companions(8, "eight-companions"),
        switchedOn("provenance") { IdentityProvenance.isRecorded = true },
        switchedOn("running-work") { RunningWork.isRecorded = true },
        switchedOn("strict-mode") {
            IdentityDiagnostics.shared.strictness = [.requirements, .reads, .outlivedScopes]
        },
        switchedOn("a-budget") {
            IdentityDiagnostics.shared.budget = HopBudget(hops: 1_000_000, age: .seconds(3_600))
        },
        switchedOn("revocation") { IdentityRevocation.isOn = true },
        switchedOn("the-sentinel") { IdentityDiagnostics.shared.watchesWorkers = true },
    ]

    private static func companions(_ count: Int, _ name: String) -> HopCase {
        HopCase("diagnostics", "with-\(name)", .companions(count), isTimed: false, parts: carriedAsync)
    }

    private static func switchedOn(_ name: String, _ switchOn: @escaping @Sendable () -> Void) -> HopCase {
        HopCase("diagnostics", "with-\(name)", .switchedOn(switchOn), isTimed: false, parts: carriedAsync)
    }
}
