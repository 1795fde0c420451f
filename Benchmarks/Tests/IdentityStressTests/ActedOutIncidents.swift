import Foundation
import MultiIdentity
import Testing

@testable import PublishedIncidents

@Suite("A published incident") struct ActedOutIncidents {
    @Test("leaks as it was published, and is kept with this package", arguments: Incident.all)
    func isKept(_ incident: Incident) async throws {
        let finding = try await incident.actOut()
        #expect(finding.leaksAsPublished, "\(finding.asPublished)")
        #expect(!finding.leaksWithPackage, "\(finding.withPackage)")
        #expect(finding.looksAtTheSame, "\(finding.asPublished), \(finding.withPackage)")
    }

    @Test("does the same again, and whichever identity acts it out", arguments: Incident.all)
    func isDeterministic(_ incident: Incident) async throws {
        let first = try await incident.actOut()
        for _ in 0..<20 {
            let again = try await incident.actOut()
            #expect(again.asPublished == first.asPublished)
            #expect(again.withPackage == first.withPackage)
        }
    }

    @Test("has a name of its own, a reference, a mechanism, a lesson and a recipe")
    func areTold() {
        #expect(Incident.all.count >= 24)
        #expect(Set(Incident.all.map(\.kind)) == Set(Incident.Kind.allCases))
        #expect(Set(Incident.all.map(\.name)).count == Incident.all.count)
        for incident in Incident.all {
            #expect(incident.name.allSatisfy { $0.isLowercase || $0 == "-" }, "\(incident.name)")
            #expect(!incident.references.isEmpty, "\(incident.name)")
            for reference in incident.references {
                #expect(reference.address.hasPrefix("https://"), "\(incident.name)")
                #expect(!reference.label.isEmpty, "\(incident.name)")
            }
            for text in [incident.title, incident.symptom, incident.mechanism, incident.lesson, incident.keeper.name] {
                #expect(text.count > 8, "\(incident.name): \(text)")
            }
            #expect(incident.keeper.recipe.contains(".md"), "\(incident.name)")
        }
    }

    @Test("is said to leak only where it saw another than the owner")
    func sightings() {
        let place = "a place"
        #expect(Sighting(place, of: Users.ada, saw: Users.bea).isLeak)
        #expect(Sighting(place, of: Users.ada, saw: nil).isLeak)
        #expect(Sighting(place, of: nil, saw: Users.ada).isLeak)
        #expect(Sighting(place, of: .nobody, saw: nil).isLeak)
        #expect(!Sighting(place, of: Users.ada, saw: Users.user("ADA@contoso.com")).isLeak)
        #expect(!Sighting(place, of: nil, saw: nil).isLeak)
    }

    @Test("leaks without a call of this package, and is kept without what leaked")
    func twinsUseTheirOwn() throws {
        let rows = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Sources/PublishedIncidents/Rows")
        let files = try FileManager.default.contentsOfDirectory(at: rows.standardized, includingPropertiesForKeys: nil)
        var looked = 0
        for file in files {
            let incidents = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "asPublished: {")
                .dropFirst()
            for incident in incidents {
                let twins = incident.components(separatedBy: "withPackage: {")
                try #require(twins.count == 2, "\(file.lastPathComponent)")
                let kept = try #require(twins[1].components(separatedBy: "\n    )\n").first)
                for word in Self.ours { #expect(!twins[0].contains(word), "\(file.lastPathComponent): \(twins[0])") }
                for word in Self.theirs { #expect(!kept.contains(word), "\(file.lastPathComponent): \(kept)") }
                looked += 1
            }
        }
        #expect(looked == Incident.all.count)
    }

    private static let ours = [
        "withIdentity(", "withIdentityLevels(", "Identity.current", "Identity.required", "IdentitySnapshot",
        "IdentityQueue",
        "IdentityFanIn", "IdentityRevocation", "propagatingIdentity", "IdentityLease", "withLease", "IdentityKeyed",
        "IdentityConsumer",
        "Envelope",
    ]
    private static let theirs = ["RequestUser", "ThreadUser", "SharedLocals", "PlainPool", "Flights"]
}
