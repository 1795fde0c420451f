@testable import MultiIdentity
@_spi(Scrubbing) @testable import MultiIdentityManagement
@testable import MultiIdentityPolicy

/// Checks the texts that a scrubber returns, and the reports that contain them.
enum Scrubbed {
    /// Checks a text, the last one, from which the others are to be removed.
    static func check(_ texts: [String]) -> Bool {
        guard let text = texts.last, texts.count >= 2 else { return false }
        let secrets = Array(texts.dropLast())
        let scrubber = Scrubber(values: secrets, keys: secrets)
        let long = secrets.filter { $0.count >= Scrubber.minimumLength }
        require(scrubber.warnings.count == secrets.count - long.count, "warned \(scrubber.warnings.count) times")
        for secret in secrets {
            require(scrubber.scrubbed(text, under: secret.lowercased()) == Scrubber.replacement, "under \(secret)")
        }
        for secret in long {
            // Unchanged, as in messages, which show the beginning of a long one, and as in JSON.
            let quoted = String(decoding: JSONText.quoted(secret).dropFirst().dropLast(), as: UTF8.self)
            for spelling in [secret, "\(EscapedText(secret))", quoted] {
                let whole = scrubber.scrubbed("\(text)\(spelling)\(text)")
                require(!shows(spelling, whole), "\(spelling) stands in \(whole)")
                for start in cut(spelling) {
                    let scrubbed = scrubber.scrubbed("\(start)…")
                    require(!shows(start, scrubbed), "\(start), cut off, stands in \(scrubbed)")
                }
            }
        }
        return true
    }

    /// The prefixes of at least four bytes, up to the length at which messages cut texts off, and some longer ones.
    private static func cut(_ text: String) -> [String] {
        let scalars = text.unicodeScalars
        return scalars.indices.prefix(64).map { String(scalars[..<$0]) }.filter {
            $0.utf8.count >= Scrubber.minimumLength
        }
    }

    /// Returns whether a secret remains in the result, byte by byte; its replacement is not a secret.
    private static func shows(_ secret: String, _ text: String) -> Bool {
        let (secret, replacement) = (Array(secret.utf8), Array(Scrubber.replacement.utf8))
        let bytes = Array(text.utf8)
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.indices.first { rest[$0...].starts(with: replacement) } ?? rest.endIndex
            let piece = rest[..<end]
            if piece.indices.contains(where: { piece[$0...].starts(with: secret) }) { return true }
            rest = rest[end...].dropFirst(replacement.count)
        }
        return false
    }

    /// Checks a report: the first text is a secret, and the others are its title, names and values.
    static func report(of texts: [String]) -> Bool {
        guard texts.count >= 2 else { return false }
        let (secret, title) = (texts[0], texts[1])
        let rest = Array(texts.dropFirst(2))
        let rows = stride(from: 0, to: rest.count - 1, by: 2).map { ManagementReport.Row(rest[$0], rest[$0 + 1]) }
        let report = ManagementReport([.init(title, rows)], Scrubber(values: [secret]))
        requireWhole(report)
        if secret.count >= Scrubber.minimumLength {
            let left = report.sections.flatMap { [$0.title] + $0.rows.flatMap { [$0.name, $0.value] } }
            require(!left.contains { shows(secret, $0) }, "\(secret) stands in \(report)")
        }
        return true
    }

    /// Checks that a report is equal after JSON, and as text has a line for each title and each row.
    static func requireWhole(_ report: ManagementReport) {
        do throws(ManagementError) {
            let again = try ManagementReport(json: report.json)
            require(again == report, "it became \(again)")
        } catch { fatalError("cannot be read again: \(error)") }
        let lines = "\(report)".unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        let count = report.sections.reduce(0) { $0 + 1 + max(1, $1.rows.count) }
        require(lines.count == max(1, count), "\(lines.count) lines of \(count)")
        require(
            lines.allSatisfy { !$0.contains { $0.properties.generalCategory == .control } },
            "a control character: \(report)"
        )
    }
}
