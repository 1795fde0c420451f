import Foundation
import PublishedIncidents

/// The result of acting incidents out.
struct IncidentsReport: Encodable {
    struct Entry: Encodable {
        struct Reference: Encodable {
            let label, address: String
        }

        let name, title, symptom, kind, mechanism, lesson, keptBy: String
        let model: String?
        let references: [Reference]
        /// The places that both twins saw; empty where one could not be acted out.
        var asPublished: [String] = []
        var withPackage: [String] = []
        var leaksAsPublished = false
        var leaksWithPackage = false
        /// The findings that are not as they have to be.
        var problem: String?
    }

    let entries: [Entry]

    /// True if all leak as they were published, and none with the package.
    var isRight: Bool { entries.allSatisfy { $0.problem == nil } }

    /// Acts incidents out, one after the other.
    ///
    /// - Parameters:
    ///   - incidents: The incidents.
    ///   - sabotaged: The names of those that are acted out without the package.
    init(actingOut incidents: [Incident], sabotaging sabotaged: Set<String> = []) async {
        var entries: [Entry] = []
        for incident in incidents {
            var entry = Entry(of: incident)
            do {
                entry.add(try await incident.actOut(sabotaged: sabotaged.contains(incident.name)))
            } catch {
                entry.problem = "it could not be acted out: \(error)"
            }
            entries.append(entry)
        }
        self.entries = entries
    }

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

extension IncidentsReport.Entry {
    init(of incident: Incident) {
        name = incident.name
        title = incident.title
        symptom = incident.symptom
        kind = incident.kind.rawValue
        mechanism = incident.mechanism
        model = incident.model
        lesson = incident.lesson
        keptBy = incident.keeper.name
        references = incident.references.map { Reference(label: $0.label, address: $0.address) }
    }

    mutating func add(_ finding: IncidentFinding) {
        asPublished = finding.asPublished.map(\.description)
        withPackage = finding.withPackage.map(\.description)
        leaksAsPublished = finding.leaksAsPublished
        leaksWithPackage = finding.leaksWithPackage
        problem =
            if !finding.leaksAsPublished {
                "it does not leak as it was published"
            } else if let leak = finding.withPackage.first(where: \.isLeak) {
                "it leaks with the package: \(leak)"
            } else if !finding.looksAtTheSame {
                "its twins do not look at the same places"
            } else {
                nil
            }
    }
}
