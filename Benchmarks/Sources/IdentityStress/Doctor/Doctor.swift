import ArgumentParser
import Dispatch
import Foundation
import MultiIdentityDoctor

/// Examines each boundary on this system.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Examines on this system what becomes of an identity at each boundary.",
        discussion: """
            Each boundary is crossed in plain Swift and with this package: from a bare thread, a Dispatch worker and a \
            task, as somebody and as no one, with somebody else bound at each moment that could matter.

            --sabotage shows that a broken boundary would be noticed: it is crossed in plain Swift where this package \
            should carry.

            EXIT STATUS: 0 if the identity was kept at every boundary that was examined; 1 if not; 64 for wrong \
            arguments.
            """
    )

    enum Format: String, EnumerableFlag {
        case json, markdown

        static func help(for format: Format) -> ArgumentHelp? {
            switch format {
            case .json: "Write one document of JSON to the standard output."
            case .markdown: "Print the tables of Docs/Boundaries.md."
            }
        }
    }

    @Flag(exclusivity: .exclusive)
    var format: Format?

    @Option(
        name: .customLong("boundary"),
        help: ArgumentHelp("Examine only this boundary, and others that are named so.", valueName: "name")
    )
    var boundaries: [String] = []

    @Option(help: ArgumentHelp("Cross this boundary in plain Swift; it has to be found out.", valueName: "boundary"))
    var sabotage: [String] = []

    @Option(help: ArgumentHelp("The longest time for one boundary, in seconds.", valueName: "seconds"))
    var limit = 20.0

    @Flag(help: "Examine companions too, by a task-local that crosses with the identity.")
    var companions = false

    @Flag(help: "Count at each boundary how many of ten task-locals are kept, before carryAll() and after.")
    var taskLocals = false

    @Flag(help: "List the boundaries, one a line.")
    var listBoundaries = false

    func validate() throws {
        for (option, names) in [("--boundary", boundaries), ("--sabotage", sabotage)] {
            for name in names where !IdentityDoctor.boundaries.contains(name) {
                throw ValidationError("\(option) names no boundary: \"\(name)\". --list-boundaries lists them.")
            }
        }
        for name in sabotage where !boundaries.isEmpty && !boundaries.contains(name) {
            throw ValidationError("--sabotage breaks \"\(name)\", which is not among those given with --boundary.")
        }
        if !(limit > 0 && limit <= 86_400) {
            throw ValidationError("--limit is \(limit); give a number above 0, up to 86400.")
        }
    }

    func run() throws {
        if listBoundaries {
            for name in IdentityDoctor.boundaries { print(name) }
            return
        }
        let (options, format) = (options, format)
        if taskLocals {
            Thread.detachNewThread { [limit] in
                do { try Self.countTaskLocals(limit) } catch { Self.exit(withError: error) }
                Self.exit()
            }
            dispatchMain()
        }
        Task {
            let diagnosis = await IdentityDoctor.examine(options)
            print(try Self.text(of: diagnosis, format))
            Foundation.exit(diagnosis.isHealthy ? 0 : 1)
        }
        dispatchMain()  // drains the main queue, which is examined too
    }

    /// The options for the arguments.
    var options: IdentityDoctor.Options {
        var options = IdentityDoctor.Options()
        options.examinesCompanions = companions
        options.boundaries = boundaries.isEmpty ? nil : Set(boundaries)
        options.sabotaged = Set(sabotage)
        options.limit = .seconds(limit)
        return options
    }

    static func text(of diagnosis: Diagnosis, _ format: Format?) throws -> String {
        switch format {
        case nil: return diagnosis.description
        case .markdown: return PropagationDocument(diagnosis).text
        case .json: return String(decoding: try diagnosis.json().dropLast(), as: UTF8.self)
        }
    }
}
