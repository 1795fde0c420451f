import Foundation
import MultiIdentity
@_spi(Catalogue) import MultiIdentityDoctor
import Testing

@testable import MultiIdentityDoctor

@Suite("An examination of this system", .serialized, .rule("4.5")) struct ExaminationTests {
    /// Long timeouts, since other tests keep the machine busy.
    static func options(_ names: String...) -> IdentityDoctor.Options {
        var options = IdentityDoctor.Options()
        options.boundaries = names.isEmpty ? nil : Set(names)
        options.limit = .seconds(120)
        return options
    }

    @Test("finds the identity kept at every boundary with this package") func healthy() async {
        let diagnosis = await IdentityDoctor.examine(Self.options())
        #expect(diagnosis.isHealthy, "\(diagnosis)")
        #expect(diagnosis.findings.map(\.boundary) == IdentityDoctor.boundaries)
        for finding in diagnosis.findings where finding.carried.outcome != .missing {
            #expect(finding.captured != nil, "\(finding.boundary)")
        }
    }

    @Test(
        "finds what plain Swift loses, keeps and mixes up",
        arguments: [
            ("queue.async", "lost"), ("queue.sync", "kept"), ("Task { }", "kept"), ("Task.detached { }", "lost"),
            ("DispatchWorkItem, performed", "mixed: as the identity that performs it"),
            ("DispatchQueue.concurrentPerform", "mixed: kept on the calling thread, lost on those that help"),
            ("an operation that waited for another's", "lost"),
        ]
    )
    func plain(_ boundary: String, _ verdict: String) async {
        let findings = await IdentityDoctor.examine(Self.options(boundary)).findings
        #expect(findings.map(\.plain.description) == [verdict])
    }

    @Test("finds each sabotaged boundary", arguments: CataloguedBoundary.rows.filter { $0.cross != nil })
    func sabotage(_ boundary: CataloguedBoundary) async {
        var options = Self.options(boundary.name)
        options.sabotaged = [boundary.name]
        let diagnosis = await IdentityDoctor.examine(options)
        #expect(!diagnosis.isHealthy)
        #expect(diagnosis.description.contains("FAILED: \(boundary.name): "))
    }

    @Test("finds companions kept at every boundary with this package, if asked to") func companions() async {
        var options = Self.options()
        options.examinesCompanions = true
        let diagnosis = await IdentityDoctor.examine(options)
        #expect(diagnosis.isHealthy, "\(diagnosis)")
        let there = diagnosis.findings.filter { $0.carried.outcome != .missing }
        #expect(there.allSatisfy { $0.companions?.outcome == .kept }, "\(diagnosis)")
        options.boundaries = ["queue.async"]
        options.sabotaged = ["queue.async"]
        let sabotaged = await IdentityDoctor.examine(options)
        #expect(sabotaged.findings.map(\.companions?.outcome) == [.lost])
        #expect(sabotaged.description.contains("companions"))
    }

    @Test(
        "runs under any identity, and leaves it as it was",
        arguments: [try Identity("ada@contoso.com"), .nobody, nil]
    )
    func anyIdentity(_ identity: Identity?) async {
        await withIdentity(identity) {
            let diagnosis = await IdentityDoctor.examine(Self.options("queue.async", "queue.sync", "Task { }"))
            #expect(diagnosis.isHealthy, "\(diagnosis)")
            #expect(Identity.current == identity)
        }
    }

    @Test("runs in parallel with others, which find the same") func sideBySide() async {
        let diagnoses = await withTaskGroup(of: Diagnosis.self) { group in
            for _ in 0..<2 { group.addTask { await IdentityDoctor.examine(Self.options()) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(diagnoses).count == 1)
        #expect(diagnoses.allSatisfy { $0.isHealthy })
    }

    @Test("survives encoding, and shows every boundary to people", .guide("the diagnostics console"))
    func shown() async throws {
        let diagnosis = await IdentityDoctor.examine(Self.options("queue.async", "queue.sync", "queue.asyncAndWait"))
        #expect(try JSONDecoder().decode(Diagnosis.self, from: JSONEncoder().encode(diagnosis)) == diagnosis)
        for finding in diagnosis.findings { #expect(diagnosis.description.contains(finding.boundary)) }
        #expect(diagnosis.description.hasSuffix("boundaries that were examined."))
        #expect(diagnosis.findings.count == 3)
    }

    @Test("knows each boundary by one name, and skips unknown names")
    func names() async {
        #expect(Set(IdentityDoctor.boundaries).count == IdentityDoctor.boundaries.count)
        #expect(await IdentityDoctor.examine(Self.options("telepathy")).findings.isEmpty)
    }
}
