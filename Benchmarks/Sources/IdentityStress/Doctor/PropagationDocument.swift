import MultiIdentityDoctor

/// `Docs/Propagation.md`: what becomes of an identity at each boundary, from a diagnosis.
struct PropagationDocument {
    private let diagnosis: Diagnosis

    init(_ diagnosis: Diagnosis) { self.diagnosis = diagnosis }

    /// The document, in Markdown; the same findings give the same bytes.
    var text: String {
        ([Self.head, Self.platform(diagnosis.platform)] + families.map(table)).joined(separator: "\n\n")
    }

    private var families: [String] {
        diagnosis.findings.map(\.family).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    private func table(of family: String) -> String {
        let rows = diagnosis.findings.filter { $0.family == family }.map(Self.row)
        return (["## \(family)", "", Self.columns, "| --- | --- | --- | --- |"] + rows).joined(separator: "\n")
    }

    private static let columns = "| boundary | plain Swift | this package | captured when |"

    private static func row(_ finding: Diagnosis.Finding) -> String {
        if finding.carried.outcome == .missing {
            return "| `\(finding.boundary)` | – | does not exist here: \(finding.carried.detail ?? "") | – |"
        }
        let how = finding.spelling.map { "\(finding.carried): `\($0)`" } ?? "\(finding.carried), by the language"
        let cells = ["`\(finding.boundary)`", "\(finding.plain)", how, finding.captured ?? "–"]
        return "| \(cells.joined(separator: " | ")) |"
    }

    private static func platform(_ platform: Diagnosis.Platform) -> String { "Examined on \(platform)." }

    private static let head = """
        # What carries identity

        <!-- Written by `identity-stress doctor --markdown`, and checked by .ci/check-propagation: do not edit. -->

        Every way in which a Swift program hands work over, what plain Swift does to the identity that hands it over, \
        and what this package does. No line is written from memory: `identity-stress doctor` crosses each boundary on the \
        system at hand and writes down what the work found bound.

        ```sh
        swift run -c release --package-path Benchmarks identity-stress doctor            # for people
        swift run -c release --package-path Benchmarks identity-stress doctor --json     # for machines
        swift run -c release --package-path Benchmarks identity-stress doctor --markdown # this document
        ```

        A server can ask the same of itself, with `IdentityDoctor.examine()` of the product `MultiIdentityDoctor`.

        ## How to read it

        - **kept**: the work runs as the identity that handed it over; with nothing bound where nothing was bound, whatever \
        its worker has.
        - **lost**: the work runs with nothing bound.
        - **mixed**: the work runs as somebody else, which is worse; or it differs from thread to thread.
        - **captured when**: the moment at which the identity is taken. An operation that is *added* by one user and made \
        ready by another runs as the first.

        ## How it is made

        Each boundary is crossed from a bare thread, from a worker of Dispatch and from a task; as one user at every \
        moment; with nothing bound, inside the scope of a bystander; as another user at each moment, which tells who is \
        captured and when; with nothing bound but at the moment of capture; and with nothing bound there and others bound \
        everywhere else. All of it is done twice, except for processes and URL requests, which are crossed once in each \
        way. The iterations of a `concurrentPerform` wait for each other, so that they run on two threads for certain. The \
        program has its main queue drained by `dispatchMain()`, as a server has; in a program with a run loop on its \
        main thread, plain `DispatchQueue.main.sync` runs on that thread and loses the identity.

        What a hop costs is in [Performance](Performance.md).

        One thing is not carried, and cannot be: a plain `DispatchWorkItem { }` captured nothing when it was created, and \
        runs as in plain Dispatch even on an `IdentityQueue` ([why](Decisions/0005-plain-work-items-as-they-are.md)).
        """
}
