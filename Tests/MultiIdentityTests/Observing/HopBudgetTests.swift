import Dispatch
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentity

@Suite("Work beyond its budget", .rule("7.3")) struct HopBudgetTests {
    /// Runs work that submits itself again, and returns the identity of each turn.
    private func turns(_ count: Int, under levels: IdentityLevels) async -> [Identity?] {
        let queue = IdentityQueue(label: "again")
        let notes = Notes<Identity?>()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            @Sendable func turn(_ left: Int) {
                notes.add(.current)
                if left == 1 { continuation.resume() } else { queue.async { turn(left - 1) } }
            }
            withIdentityLevels(levels) {
                withIdentity(ada, fileID: "App/Handler.swift", line: 12) { queue.async { turn(count) } }
            }
        }
        return notes.all
    }

    @Test("of hops still runs, and is reported once") func hops() async throws {
        let found = FindingNotes { $0.budget = HopBudget(hops: 3) }
        #expect(await turns(6, under: found.levels) == Array(repeating: ada, count: 6))
        let finding = try #require(found.all.first)
        #expect(found.all.count == 1)
        #expect(finding.kind == .beyondBudget)
        #expect(
            finding.message.hasPrefix(
                "work of ada@contoso.com at App/Handler.swift:12 has taken 4 hops, over its budget of 3; it still runs."
            )
        )
    }

    @Test("runs as nobody if the budget says so, and is not lost") func downgrade() async {
        let found = FindingNotes { $0.budget = HopBudget(hops: 2, excess: .runsAsNobody) }
        #expect(await turns(5, under: found.levels) == [ada, ada, .nobody, .nobody, .nobody])
        #expect(found.all.count == 1)
    }

    @Test("is not reported within it, and a nested scope starts a new count") func within() async {
        let found = FindingNotes { $0.budget = HopBudget(hops: 5, age: .seconds(3_600)) }
        #expect(await turns(5, under: found.levels).count == 5)
        #expect(found.all.isEmpty)
        var snapshot = withIdentityLevels(found.levels) { withIdentity(ada) { IdentitySnapshot.capture() } }
        for _ in 0..<20 { snapshot = snapshot.restore { withIdentity(ada) { IdentitySnapshot.capture() } } }
        snapshot.restore {}
        #expect(found.all.isEmpty)
    }

    @Test("of age is reported, such as a timer that fires for ever") func age() throws {
        let found = FindingNotes { $0.budget = HopBudget(age: .zero) }
        let snapshot = withIdentityLevels(found.levels) { withIdentity(ada) { IdentitySnapshot.capture() } }
        for _ in 0..<3 { snapshot.restore { #expect(Identity.current == ada) } }
        #expect(found.all.map(\.kind) == [.beyondBudget])
        #expect(found.all.first?.message.contains(" old, over its budget of 0 ms") == true)
    }

    @Test("is never reported for nobody and unset, which have no identity to lose") func nobody() {
        let found = FindingNotes { $0.budget = HopBudget(hops: 0, excess: .runsAsNobody) }
        for identity in [Identity.nobody, nil] {
            let snapshot = withIdentityLevels(found.levels) { withIdentity(identity) { IdentitySnapshot.capture() } }
            snapshot.restore { #expect(Identity.current == identity) }
        }
        #expect(found.all.isEmpty)
    }
}
