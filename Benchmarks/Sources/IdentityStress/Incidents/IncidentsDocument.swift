import PublishedIncidents

/// `Docs/Incidents.md`: the incidents, what they teach, and where the recipe stands.
struct IncidentsDocument {
    private let incidents: [Incident]

    init(_ incidents: [Incident]) { self.incidents = incidents }

    /// The document, in Markdown; the same incidents give the same bytes.
    var text: String {
        let kinds = Incident.Kind.allCases.filter { kind in incidents.contains { $0.kind == kind } }
        return ([head(kinds)] + kinds.map(section)).joined(separator: "\n\n")
    }

    private func section(of kind: Incident.Kind) -> String {
        let chosen = incidents.filter { $0.kind == kind }
        return (["## \(kind.rawValue)", table(of: chosen)] + chosen.map(Self.story)).joined(separator: "\n\n")
    }

    private func table(of chosen: [Incident]) -> String {
        let rows = chosen.map { incident in
            let cells = [
                incident.symptom, "[\(incident.title)](#\(incident.name))", Self.links(of: incident),
                "[\(incident.keeper.name)](\(incident.keeper.recipe))",
            ]
            return "| \(cells.joined(separator: " | ")) |"
        }
        return (["| what one sees | incident | published as | kept by |", "| --- | --- | --- | --- |"] + rows).joined(
            separator: "\n"
        )
    }

    private static func story(of incident: Incident) -> String {
        let model = incident.model.map { " *A model: \($0)*" } ?? ""
        return """
            ### \(incident.name)

            \(incident.title). \(incident.mechanism)\(model)

            **What it teaches**: \(incident.lesson) [The recipe](\(incident.keeper.recipe)).
            """
    }

    private static func links(of incident: Incident) -> String {
        incident.references.map { "[\($0.label)](\($0.address))" }.joined(separator: ", ")
    }

    private func head(_ kinds: [Incident.Kind]) -> String {
        let contents = kinds.map { "[\($0.rawValue)](#\($0.rawValue.lowercased().replacing(" ", with: "-")))" }
        return """
            # Incidents

            <!-- Written by `identity-stress incidents --markdown`, and held by its tests: do not edit. -->

            \(incidents.count) published incidents in which work ran as another user, as whoever came first, or as no one. \
            None is of this package's making, and few are of Swift: the mechanism is the same everywhere. Each is acted out \
            twice, in a few dozen lines: as it was published, where it has to leak, and with this package, where it cannot.

            ```sh
            swift run -c release --package-path Benchmarks identity-stress incidents                      # all of them
            swift run -c release --package-path Benchmarks identity-stress incidents --only notification  # one
            swift run -c release --package-path Benchmarks identity-stress incidents --json               # for machines
            ```

            The exit status is 1 unless all leak as published and none does with the package. Nothing in them waits for time \
            to pass: each step is made to come before the next. Where an incident needs a database, a broker or a server, the \
            twin has a small model of it in memory, and says so. The sources are in \
            [PublishedIncidents](../Benchmarks/Sources/PublishedIncidents/Rows).

            What is kept is what goes by the mechanism named. Code beside it that goes on as before leaks as before: \
            [what this package does not do](../README.md#what-it-does-not-do).

            \(contents.joined(separator: " · "))
            """
    }
}
