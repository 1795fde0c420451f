import PublishedIncidents

/// `Docs/Incidents.md`: the incidents, what they teach, and where the recipe stands.
struct IncidentsDocument {
    private let incidents: [Incident]

    init(_ incidents: [Incident]) { self.incidents = incidents }

    /// The document, in Markdown; the same incidents give the same bytes.
    var text: String {
        let kinds = Incident.Kind.allCases.filter { kind in incidents.contains { $0.kind == kind } }
        return ([head, table] + kinds.map(section) + [Self.tail]).joined(separator: "\n\n")
    }

    private var table: String {
        let rows = incidents.map { incident in
            let cells = [
                incident.symptom, "[\(incident.title)](#\(Self.anchor(of: incident)))", Self.recipe(of: incident),
            ]
            return "| \(cells.joined(separator: " | ")) |"
        }
        return (["| what one sees | incident | kept by |", "| --- | --- | --- |"] + rows).joined(separator: "\n")
    }

    private func section(of kind: Incident.Kind) -> String {
        let stories = incidents.filter { $0.kind == kind }.map(Self.story)
        return (["## \(kind.rawValue)"] + stories).joined(separator: "\n\n")
    }

    private static func story(of incident: Incident) -> String {
        let model = incident.model.map { " *A model: \($0)*" } ?? ""
        let links = incident.references.map { "[\($0.label)](\($0.address))" }.joined(separator: ", ")
        return """
            ### \(incident.title)

            \(incident.mechanism)\(model)

            - **Published as** \(links)
            - **It teaches:** \(incident.lesson)
            - **Kept by** \(recipe(of: incident)); acted out by `--only \(incident.name)`
            """
    }

    private static func recipe(of incident: Incident) -> String {
        "[\(incident.keeper.name)](\(incident.keeper.recipe))"
    }

    /// The anchor that a reader of Markdown gives to an incident's heading.
    private static func anchor(of incident: Incident) -> String {
        let kept = incident.title.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == " " }
        return kept.replacing(" ", with: "-")
    }

    private var head: String {
        """
        # Incidents

        <!-- Written by `identity-stress incidents --markdown`, and checked by its tests: do not edit. -->

        \(incidents.count) published incidents in which work ran as another user, as the first user, or as no one. None is \
        of this package's making, and few are of Swift: the mechanisms are the same everywhere. Each is \
        [acted out](#acting-them-out), as it was published and with this package.

        ## By what one sees

        Where none of these is it, [Diagnostics](Diagnostics.md) finds where an identity came from, or where it was lost.
        """
    }

    private static let tail = """
        ## Acting them out

        ```sh
        swift run -c release --package-path Benchmarks identity-stress incidents                      # all of them
        swift run -c release --package-path Benchmarks identity-stress incidents --only notification  # one
        swift run -c release --package-path Benchmarks identity-stress incidents --json               # for machines
        ```

        Each has two twins of a few dozen lines that look at the same places: one with the mechanism that was published, which \
        has to leak, and one with this package, which must not. The exit status is 1 unless that is so. Nothing in them waits \
        for time to pass: each step is made to come before the next. Where an incident needs a database, a broker or a \
        server, the twin has a small model of it in memory, and says so. The sources are in \
        [PublishedIncidents](../Benchmarks/Sources/PublishedIncidents/Rows).

        What is kept is what goes by the mechanism named. Code beside it that goes on as before leaks as before: \
        [what this package does not do](../README.md#what-it-does-not-do).
        """
}
