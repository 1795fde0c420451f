import ArgumentParser
import MultiIdentity
import Testing

@testable import IdentityStress
@testable import PublishedIncidents

@Suite("A published incident") struct PublishedIncidents {
    @Test("leaks as published and not with this package, each time alike", arguments: Incident.all)
    func isKept(_ incident: Incident) async throws {
        let first = try await incident.actOut()
        #expect(first.problem == nil)
        for _ in 0..<20 {
            let again = try await incident.actOut()
            #expect(again.asPublished == first.asPublished)
            #expect(again.withPackage == first.withPackage)
        }
    }

    @Test("is found if it is sabotaged, and no other", arguments: Incident.all.map(\.name))
    func isFound(_ name: String) async {
        let report = await Incidents.report(on: Incident.all, sabotaging: [name])
        #expect(report.failures == [name])
        #expect(report.text.contains("\nFAILED: \(name): it leaks with the package: "))
    }

    @Test("is reported with its references and its lesson") func isTold() async {
        let report = await Incidents.report(on: Incident.all)
        let count = Incident.all.count
        #expect(count >= 12 && Set(Incident.all.map(\.name)).count == count)
        for incident in Incident.all {
            #expect(report.text.contains("\(incident.name): \(incident.title)\n"))
            #expect(report.text.contains("lesson: \(incident.lesson)\n"))
            for reference in incident.references { #expect(report.text.contains(reference.address)) }
        }
        #expect(report.text.hasSuffix("\n\(count) of \(count) leak as published, and not with the package."))
    }

    @Test("fails if it does not leak, if its versions check other places, or if it cannot be reproduced")
    func fails() async {
        struct Broken: Error {}
        let (leak, kept) = (Sighting("a", of: nil, saw: Users.ada), Sighting("a", of: nil, saw: nil))
        let elsewhere = Sighting("b", of: nil, saw: nil)
        let made = [
            incident("no-leak", { [kept] }, { [kept] }), incident("elsewhere", { [leak] }, { [elsewhere] }),
            incident("nowhere", { [leak] }, { [] }), incident("broken", { throw Broken() }, { [kept] }),
            incident("nothing", { [] }, { [] }), incident("right", { [leak] }, { [kept] }),
        ]
        let report = await Incidents.report(on: made)
        #expect(report.failures == ["no-leak", "elsewhere", "nowhere", "broken", "nothing"])
    }

    private func incident(
        _ name: String,
        _ asPublished: @escaping Incident.Twin,
        _ withPackage: @escaping Incident.Twin
    ) -> Incident {
        Incident(
            name: name,
            title: "",
            references: [],
            mechanism: "",
            lesson: "",
            keeper: "",
            asPublished: asPublished,
            withPackage: withPackage
        )
    }
}
