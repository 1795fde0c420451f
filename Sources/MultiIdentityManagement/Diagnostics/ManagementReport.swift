public import MultiIdentity
import MultiIdentityPolicy

/// A report of what is in force in a process and why; it is scrubbed when created, so it can be shown and sent.
///
/// ```swift
/// let report = try registry.report(including: [doctor])
/// print(report)                      // for people
/// try Data(report.json).write(to: archive)
/// ```
public struct ManagementReport: Hashable, Sendable {
    /// A section of a report: rows with names and values.
    public struct Section: Hashable, Sendable {
        /// The title.
        public let title: String
        /// The rows, in their order.
        public let rows: [Row]

        /// Creates a section.
        ///
        /// - Parameters:
        ///   - title: The title.
        ///   - rows: The rows.
        public init(_ title: String, _ rows: [Row]) {
            self.title = title
            self.rows = rows
        }
    }

    /// A row of a report.
    public struct Row: Hashable, Sendable {
        /// The name of a setting, an account or an event.
        public let name: String
        /// The value, in words.
        public let value: String

        /// Creates a row.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value, in words.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The sections, in their order.
    public let sections: [Section]

    /// Creates a report from sections, and scrubs it.
    ///
    /// - Parameters:
    ///   - sections: The sections.
    ///   - scrubber: The texts and keys to remove; the name of a row is its key.
    public init(_ sections: [Section], _ scrubber: Scrubber) {
        self.sections = sections.map { section in
            let rows = section.rows.map { row in
                Row(scrubber.scrubbed(row.name), scrubber.scrubbed(row.value, under: row.name))
            }
            return Section(scrubber.scrubbed(section.title), rows)
        }
    }

    /// The report in JSON: `{"version": 1, "sections": [{"title": …, "rows": [{"name": …, "value": …}]}]}`.
    public var json: [UInt8] {
        let sections = sections.map { section in
            let rows = section.rows.map { row in
                Array("\n    {\"name\": ".utf8) + JSONText.quoted(row.name) + ", \"value\": ".utf8
                    + JSONText.quoted(row.value) + "}".utf8
            }
            return Array("\n  {\"title\": ".utf8) + JSONText.quoted(section.title) + ", \"rows\": [".utf8
                + rows.joined(separator: ",".utf8) + "]}".utf8
        }
        return Array("{\"version\": 1, \"sections\": [".utf8) + sections.joined(separator: ",".utf8)
            + Array("\n]}\n".utf8)
    }
}

extension ManagementReport.Section {
    /// Returns the section about the runtime: its version, the levels, and the number of revoked identities.
    ///
    /// - Parameter levels: The levels to report.
    /// - Returns: The section.
    public static func runtime(_ levels: IdentityLevels = .current) -> ManagementReport.Section {
        func words(_ identity: Identity?) -> String { identity.map { "\($0)" } ?? "unset" }
        return .init(
            "runtime",
            [
                .init("version", IdentityRuntime.version),
                .init("process level", words(levels.process)),
                .init("UI level", words(levels.ui)),
                .init("revoked", "\(IdentityRevocation.all.count)"),
            ]
        )
    }
}

extension ManagementReport: CustomStringConvertible {
    /// The report as text: a line for each row, with control characters escaped for terminals.
    public var description: String {
        sections.map { section in
            let rows = section.rows.map { row in
                "  \(Self.escaped(row.name)): \(Self.escaped(row.value))"
            }
            return (["\(Self.escaped(section.title)):"] + (rows.isEmpty ? ["  none"] : rows)).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Returns the text with JSON's escapes, without the quotation marks; unlike a message, it is not cut off.
    private static func escaped(_ text: String) -> String {
        String(decoding: JSONText.quoted(text).dropFirst().dropLast(), as: UTF8.self)
    }
}
