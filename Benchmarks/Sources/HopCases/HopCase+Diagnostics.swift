import Dispatch
import MultiIdentity
import MultiIdentityDiagnostics

/// The cost of `async` with one feature turned on; each case leaves it on, so a process runs only one of them.
extension HopCase {
    static let diagnosticCases = [
        switchedOn("counters") { HopCounters.areEnabled = true },
        switchedOn("accounts") { IdentityAccounts.isOn = true },
        switchedOn("thread-context") { try? IdentityThreadContext.turnOn() },
        switchedOn("accounts-and-thread-context") {
            IdentityAccounts.isOn = true
            try? IdentityThreadContext.turnOn()
        },
        companions(1, "a-companion"),
        companions(4, "four-companions"),
        companions(8, "eight-companions"),
        HopCase("diagnostics", "handwritten-four", .handwrittenTaskLocals, isTimed: false, parts: fourByHand),
        allTaskLocals(4),
        allTaskLocals(16),
        HopCase("diagnostics", "sync-with-all-of-4", .allTaskLocals(4), isTimed: false, parts: carriedSync),
        switchedOn("provenance") { Explanation.recordsProvenance = true },
        switchedOn("running-work") { RunningWork.isRecorded = true },
        switchedOn("strict-mode") {
            IdentityDiagnostics.shared.strictness = [.requirements, .reads, .outlivedScopes]
        },
        switchedOn("a-budget") {
            IdentityDiagnostics.shared.budget = HopBudget(hops: 1_000_000, age: .seconds(3_600))
        },
        switchedOn("revocation") { IdentityRevocation.isOn = true },
        switchedOn("the-sentinel") { IdentityDiagnostics.shared.watchesWorkers = true },
        switchedOn("all-of-production", switchOnAll),
        HopCase("diagnostics", "with-all-and-a-companion", .companions(1), isTimed: false) {
            switchOnAll()
            return carriedAsync()
        },
    ]

    /// A hop in its own scope, as a server's requests hand work over: features do more at a scope.
    static let scopedCases = [
        HopCase("scoped-async", "handwritten", .user, isTimed: false) {
            let (queue, counter, user) = (
                DispatchQueue(label: "handwritten"), Counter(), User(name: "grace@contoso.com")
            )
            return .held(queue) { hops in
                for _ in 0..<hops {
                    Handwritten.$user.withValue(user) {
                        let user = Handwritten.user
                        queue.async { Handwritten.$user.withValue(user) { counter.value += 1 } }
                    }
                }
            }
        },
        HopCase("scoped-async", "carried", .identity, isTimed: false, parts: scopedAsync),
        scoped("revocation") { IdentityRevocation.isOn = true },
        scoped("accounts") { IdentityAccounts.isOn = true },
        scoped("revocation-and-counters", leaveOn),
    ]

    private static let scopedAsync: @Sendable () -> HopParts = {
        let (queue, counter, identity) = (
            IdentityQueue(label: "carried"), Counter(), try? Identity("grace@contoso.com")
        )
        return .held(queue.base) { hops in
            for _ in 0..<hops { withIdentity(identity) { queue.async { counter.value += 1 } } }
        }
    }

    /// Turns on what a server leaves on.
    private static let leaveOn: @Sendable () -> Void = {
        IdentityRevocation.isOn = true
        HopCounters.areEnabled = true
    }

    private static let switchOnAll: @Sendable () -> Void = {
        leaveOn()
        Explanation.recordsProvenance = true
        RunningWork.isRecorded = true
    }

    private static func scoped(_ name: String, _ switchOn: @escaping @Sendable () -> Void) -> HopCase {
        HopCase("scoped-async", "with-\(name)", .switchedOn(switchOn), isTimed: false, parts: scopedAsync)
    }

    private static func allTaskLocals(_ count: Int) -> HopCase {
        HopCase("diagnostics", "with-all-of-\(count)", .allTaskLocals(count), isTimed: false, parts: carriedAsync)
    }

    private static let fourByHand: @Sendable () -> HopParts = {
        let (queue, counter) = (DispatchQueue(label: "handwritten"), Counter())
        return .held(queue) { hops in
            for _ in 0..<hops {
                let (user, log, trace, tenant) = (
                    Handwritten.user, Handwritten.log, Handwritten.trace, Handwritten.tenant
                )
                queue.async {
                    Handwritten.$user.withValue(user) {
                        Handwritten.$log.withValue(log) {
                            Handwritten.$trace.withValue(trace) {
                                Handwritten.$tenant.withValue(tenant) { counter.value += 1 }
                            }
                        }
                    }
                }
            }
        }
    }

    private static func companions(_ count: Int, _ name: String) -> HopCase {
        HopCase("diagnostics", "with-\(name)", .companions(count), isTimed: false, parts: carriedAsync)
    }

    private static func switchedOn(_ name: String, _ switchOn: @escaping @Sendable () -> Void) -> HopCase {
        HopCase("diagnostics", "with-\(name)", .switchedOn(switchOn), isTimed: false, parts: carriedAsync)
    }
}
