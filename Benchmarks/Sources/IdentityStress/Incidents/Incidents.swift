import ArgumentParser
import Dispatch
import Foundation
import PublishedIncidents

/// Acts published incidents out, each as it leaked and with this package.
struct Incidents: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Acts published incidents out: each leaks as it was published, and is kept with this package.",
        discussion: """
            An incident is one that somebody published, in which work ran as another user, as the first user, or as no \
            one. Each has two twins of a few dozen lines that look at the same places: one with its mechanism, and one with \
            this package. What a twin cannot have, as a database, is a small model in memory, and is said to be one.

            EXIT STATUS: 0 if all leak as published and none with the package; 1 if not; 64 for wrong arguments; 74 if the \
            report cannot be written.

            EXAMPLES:
              identity-stress incidents
              identity-stress incidents --only notification --only timer
              identity-stress incidents --sabotage notification
            """
    )

    enum Format: String, EnumerableFlag {
        case json, markdown

        static func help(for format: Format) -> ArgumentHelp? {
            switch format {
            case .json: "Write one document of JSON to the standard output."
            case .markdown: "Print the document that is Docs/Incidents.md, and act nothing out."
            }
        }
    }

    @Flag(exclusivity: .exclusive)
    var format: Format?

    @Option(help: ArgumentHelp("Act out only this incident, and others that are named so.", valueName: "name"))
    var only: [String] = []

    @Option(help: ArgumentHelp("Act this one out without the package; it has to be found out.", valueName: "name"))
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
        for name in sabotage where !only.isEmpty && !only.contains(name) {
            throw ValidationError("--sabotage breaks \"\(name)\", which is not among those given with --only.")
        }
    }

    func run() throws {
        if list {
            for incident in Incident.all { print(incident.name) }
            return
        }
        if format == .markdown { return print(IncidentsDocument(Incident.all).text) }
        let (chosen, sabotaged, format) = (chosen, Set(sabotage), format)
        Task {
            let report = await IncidentsReport(actingOut: chosen, sabotaging: sabotaged)
            if format == .json {
                do { try FileHandle.standardOutput.write(contentsOf: report.json()) } catch {
                    Foundation.exit(IdentityStress.complain("cannot write the report: \(error)", code: 74))
                }
            } else {
                print(report.text)
            }
            Foundation.exit(report.isRight ? 0 : 1)
        }
        dispatchMain()
    }

    /// The incidents that the arguments ask for.
    var chosen: [Incident] { Incident.all.filter { only.isEmpty || only.contains($0.name) } }
}
