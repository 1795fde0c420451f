import MultiIdentity
public import MultiIdentityPolicy

/// Removes secrets from texts that are logged, shown or sent.
///
/// ```swift
/// let scrubber = Scrubber(values: ["s3cr3t-token"], keys: ["password"])
/// scrubber.scrubbed("Bearer s3cr3t-token")             // "Bearer [scrubbed]"
/// scrubber.scrubbed("hunter22", under: "password")     // "[scrubbed]"
/// ```
///
/// Values are compared byte by byte, both raw and as escaped in the package's messages and in JSON. If a text was cut off
/// with "…" inside a value, that part is removed too.
public struct Scrubber: Sendable {
    /// The text that replaces what was removed.
    @_spi(Scrubbing) public static let replacement = "[scrubbed]"
    /// The minimum length of a value that is removed; shorter ones would occur everywhere.
    package static let minimumLength = 4

    /// Warnings about values that are too short to be removed, without the values themselves.
    public let warnings: [String]

    private let patterns: ScrubbedPatterns
    private let keys: Set<String>

    /// Creates a scrubber.
    ///
    /// - Parameters:
    ///   - values: The texts to remove, wherever they occur; texts of fewer than four characters are ignored with a
    ///     warning.
    ///   - keys: The keys whose whole values are removed, ignoring case.
    public init(values: [String] = [], keys: [String] = []) {
        let long = values.filter { $0.count >= Self.minimumLength }
        patterns = ScrubbedPatterns(long.flatMap(Self.spellings))
        self.keys = Set(keys.map { $0.lowercased() })
        let short = values.indices.filter { values[$0].count < Self.minimumLength }
        warnings = short.map {
            "Value \($0 + 1) of the values to scrub has fewer than \(Self.minimumLength) characters, and is not removed. Name its key instead."
        }
    }

    /// Creates the scrubber of a configuration.
    ///
    /// - Parameter configuration: The configuration.
    public init(_ configuration: ManagementConfiguration) {
        self.init(values: configuration.valuesToScrub, keys: configuration.keysToScrub)
    }

    /// Indicates whether this scrubber removes nothing.
    package var isEmpty: Bool { patterns.isEmpty && keys.isEmpty }

    /// Returns a text without secret values.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text, with `[scrubbed]` in place of each secret.
    /// - Complexity: O(*n*), whatever the values.
    public func scrubbed(_ text: String) -> String {
        if patterns.isEmpty { return text }
        let bytes = Array(text.utf8)
        let found = patterns.stretches(in: bytes)
        if found.isEmpty { return text }
        var kept: [UInt8] = []
        var end = 0
        for stretch in found {
            kept += bytes[end..<stretch.lowerBound]
            kept += Self.replacement.utf8
            end = stretch.upperBound
        }
        return String(decoding: kept + bytes[end...], as: UTF8.self)
    }

    /// Returns the value of a key without secrets.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key of the value.
    /// - Returns: The value, or `[scrubbed]` if the key is one to scrub.
    public func scrubbed(_ value: String, under key: String) -> String {
        scrubs(key: key) ? Self.replacement : scrubbed(value)
    }

    /// Returns whether the whole value of a key is removed.
    ///
    /// - Parameter key: The key.
    /// - Returns: `true` if it is.
    @_spi(Scrubbing) public func scrubs(key: String) -> Bool { !keys.isEmpty && keys.contains(key.lowercased()) }

    /// The spellings of a value: raw, as in messages, and as in JSON.
    private static func spellings(of value: String) -> [[UInt8]] {
        let quoted = JSONText.quoted(value)
        let shown = EscapedText(value).description
        // A message shows only the start of a long value.
        let start = shown.hasSuffix("…") && !value.hasSuffix("…") ? String(shown.dropLast()) : shown
        return [Array(value.utf8), Array(start.utf8), Array(quoted[1..<(quoted.count - 1)])]
    }
}

extension Scrubber: CustomStringConvertible, CustomReflectable {
    /// The number of values and keys.
    public var description: String { "scrubber of \(patterns.count) texts and \(keys.count) keys" }
    /// An empty mirror, since the values are secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Scrubber {
    /// Returns a sink that scrubs audit events before it passes them to another one.
    ///
    /// Reasons and provenance are scrubbed; names of identities stay, because an event needs them.
    ///
    /// - Parameter sink: The receiver of the scrubbed events.
    /// - Returns: The scrubbing sink.
    public func scrubbing(_ sink: any AuditSink) -> any AuditSink { ScrubbedAudit(sink: sink, scrubber: self) }

    private struct ScrubbedAudit: AuditSink {
        let sink: any AuditSink
        let scrubber: Scrubber

        func record(_ event: AuditEvent) { sink.record(event.scrubbed(by: scrubber.scrubbed)) }
    }
}
