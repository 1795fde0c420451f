import ArgumentParser
import Foundation
import MultiIdentity
import Testing

@testable import IdentityStress
@testable import PublishedIncidents

@Suite("The command incidents") struct IncidentsCommand {
    @Test("stands beside the others") func isFound() throws {
        #expect(try Program.parseAsRoot(["incidents", "--only", "timer"]) is Incidents)
        #expect(try Incidents.parse([]).chosen.count == Incident.all.count)
        #expect(try Incidents.parse(["--only", "timer", "--only", "notification"]).chosen.count == 2)
    }

    @Test(
        "refuses arguments that make no sense, and names them",
        arguments: [
            ["--only", "telepathy"], ["--sabotage", "telepathy"], ["--sabotage", "timer", "--only", "notification"],
            ["--json", "--markdown"],
        ]
    )
    func refuses(_ arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) { try Incidents.parse(arguments) }
        #expect(Incidents.message(for: try #require(error)).contains(arguments[0]))
    }

    @Test("ends well, and tells each incident with its references and its lesson") func tellsAll() async throws {
        let report = await IncidentsReport(actingOut: Incident.all)
        #expect(report.isRight, "\(report.text)")
        for incident in Incident.all {
            #expect(report.text.contains("\(incident.name): \(incident.title)\n    leaks as published: yes: "))
            #expect(report.text.contains("    lesson: \(incident.lesson)\n"))
            for reference in incident.references { #expect(report.text.contains(reference.address)) }
        }
        let count = Incident.all.count
        #expect(report.text.hasSuffix("\n\(count) of \(count) leak as published, and are kept with the package."))
    }

    @Test("finds a sabotaged incident, names it and no other", arguments: Incident.all.map(\.name))
    func findsSabotage(_ name: String) async {
        let report = await IncidentsReport(actingOut: Incident.all, sabotaging: [name])
        #expect(!report.isRight)
        #expect(report.entries.filter { $0.problem != nil }.map(\.name) == [name])
        #expect(report.text.contains("\nFAILED: \(name): it leaks with the package: "))
    }

    @Test("finds one that does not leak, one that looks elsewhere, and one that cannot be acted out")
    func findsOthers() async throws {
        struct Broken: Error {}
        let (leak, kept) = (Sighting("a", of: nil, saw: Users.ada), Sighting("a", of: nil, saw: nil))
        let elsewhere = Sighting("b", of: nil, saw: nil)
        let problems = await IncidentsReport(actingOut: [
            incident({ [kept] }, { [kept] }), incident({ [leak] }, { [elsewhere] }), incident({ [leak] }, { [] }),
            incident({ throw Broken() }, { [kept] }), incident({ [] }, { [] }), incident({ [leak] }, { [kept] }),
        ]).entries.map(\.problem)
        let noLeak = "it does not leak as it was published"
        let others = "its twins do not look at the same places"
        #expect(problems == [noLeak, others, others, "it could not be acted out: Broken()", noLeak, nil])
    }

    @Test("says the same to machines") func json() async throws {
        struct Entry: Decodable { let name, lesson: String, leaksAsPublished, leaksWithPackage: Bool }
        struct Report: Decodable { let entries: [Entry] }
        let report = try JSONDecoder().decode(Report.self, from: await IncidentsReport(actingOut: Incident.all).json())
        #expect(report.entries.map(\.name) == Incident.all.map(\.name))
        #expect(report.entries.allSatisfy { $0.leaksAsPublished && !$0.leaksWithPackage })
    }

    @Test("prints the document that is kept; identity-stress incidents --markdown > Docs/Incidents.md writes it anew")
    func document() throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        let kept = try String(contentsOf: root.appendingPathComponent("Docs/Incidents.md"), encoding: .utf8)
        #expect(IncidentsDocument(Incident.all).text + "\n" == kept)
    }

    private func incident(_ asPublished: @escaping Incident.Twin, _ withPackage: @escaping Incident.Twin) -> Incident {
        Incident(
            name: "made-up",
            title: "Made up",
            symptom: "",
            kind: .closures,
            references: [],
            mechanism: "",
            model: nil,
            lesson: "",
            keeper: Incident.Keeper("", see: ""),
            asPublished: asPublished,
            withPackage: withPackage
        )
    }
}
