import ArgumentParser
import Dispatch
import Foundation
import PublishedIncidents

/// Reproduces published incidents, each as it leaked and with this package.
struct Incidents: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Acts published incidents out: each leaks as it was published, and not with this package.",
        discussion: """
            In each incident work ran as another user, as the first user, or as no one. It is acted out twice, by a few \
            dozen lines that check the same places: once with its mechanism, and once with this package. A database, a \
            server or a pool is a small object in memory here.

            EXIT STATUS: 0 if all leak as published and none with the package; 1 if not; 64 for wrong arguments.
            """
    )

    @Option(help: ArgumentHelp("Act out only this incident, and others that are named so.", valueName: "name"))
    var only: [String] = []

    @Option(help: ArgumentHelp("Act this one out without the package; the run has to fail.", valueName: "name"))
    var sabotage: [String] = []

    @Flag(help: "List the incidents, one a line.")
    var list = false

    func validate() throws {
        let known = Set(Incident.all.map(\.name))
        for (option, names) in [("--only", only), ("--sabotage", sabotage)] {
            for name in names where !known.contains(name) {
                throw ValidationError("\(option) names no incident: \"\(name)\". --list lists them.")
            }
        }
    }

    func run() throws {
        let chosen = Incident.all.filter { only.isEmpty || only.contains($0.name) }
        if list { return print(chosen.map(\.name).joined(separator: "\n")) }
        Task {
            let (text, failures) = await Self.report(on: chosen, sabotaging: Set(sabotage))
            print(text)
            Foundation.exit(failures.isEmpty ? 0 : 1)
        }
        dispatchMain()
    }

    /// Reproduces incidents in sequence, and returns the report and the names of those with an unexpected outcome.
    static func report(
        on incidents: [Incident],
        sabotaging sabotaged: Set<String> = []
    ) async -> (text: String, failures: [String]) {
        var (parts, problems, failures) = ([String](), [String](), [String]())
        for incident in incidents {
            do {
                let finding = try await incident.actOut(sabotaged: sabotaged.contains(incident.name))
                parts.append(text(of: incident, finding))
                guard let problem = finding.problem else { continue }
                problems.append("FAILED: \(incident.name): \(problem)")
            } catch {
                problems.append("FAILED: \(incident.name): it could not be acted out: \(error)")
            }
            failures.append(incident.name)
        }
        let kept = incidents.count - failures.count
        let end = problems + ["\(kept) of \(incidents.count) leak as published, and not with the package."]
        return ((parts + [end.joined(separator: "\n")]).joined(separator: "\n\n"), failures)
    }

    private static func text(of incident: Incident, _ finding: Incident.Finding) -> String {
        let seen = { (sightings: [Sighting]) in sightings.map(\.description).joined(separator: "; ") }
        return """
            \(incident.name): \(incident.title)
                what happened: \(incident.mechanism)
                as published: \(seen(finding.asPublished))
                with the package: \(seen(finding.withPackage)), by \(incident.keeper)
                lesson: \(incident.lesson)
                published: \(incident.references.map { "\($0.label), \($0.address)" }.joined(separator: "; "))
            """
    }
}
