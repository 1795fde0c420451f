import MultiIdentity
public import MultiIdentityPolicy

/// Takes texts that nobody is to read out of what is logged, shown or handed on.
///
/// ```swift
/// let scrubber = Scrubber(values: ["s3cr3t-token"], keys: ["password"])
/// scrubber.scrubbed("Bearer s3cr3t-token")             // "Bearer [scrubbed]"
/// scrubber.scrubbed("hunter22", under: "password")     // "[scrubbed]"
/// ```
///
/// Values are compared byte by byte, as they are and as the package's messages and JSON write them. What stands before the "…" of a
/// text that was cut off is taken out as well, if a value begins so.
public struct Scrubber: Sendable {
    /// The text that stands in place of what was taken out.
    public static let replacement = "[scrubbed]"
    /// The fewest characters of a value that is taken out: a shorter one would blank whole logs.
    public static let minimumLength = 4

    /// The values that are not taken out, in words and without the values themselves.
    public let warnings: [String]

    private let patterns: ScrubbedPatterns
    private let keys: Set<String>

    /// A scrubber.
    ///
    /// - Parameters:
    ///   - values: The texts to be taken out, wherever they stand; shorter ones than ``minimumLength`` are passed over with a warning.
    ///   - keys: The keys of values that are taken out whole, in any case of letters.
    public init(values: [String] = [], keys: [String] = []) {
        let long = values.filter { $0.count >= Self.minimumLength }
        patterns = ScrubbedPatterns(long.flatMap(Self.spellings))
        self.keys = Set(keys.map { $0.lowercased() })
        let short = values.indices.filter { values[$0].count < Self.minimumLength }
        warnings = short.map {
            "Value \($0 + 1) of the values to scrub has fewer than \(Self.minimumLength) characters, and is not taken out. Name its key instead."
        }
    }

    /// The scrubber of a configuration.
    ///
    /// - Parameter configuration: The configuration.
    public init(_ configuration: ManagementConfiguration) {
        self.init(values: configuration.valuesToScrub, keys: configuration.keysToScrub)
    }

    /// Indicates whether nothing is ever taken out.
    public var isEmpty: Bool { patterns.isEmpty && keys.isEmpty }

    /// A text without the values that nobody is to read.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text, with ``replacement`` in place of each stretch of them.
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

    /// The value of a key, without what nobody is to read.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key that it stands under.
    /// - Returns: The value, or ``replacement`` where the key is one of those to scrub.
    public func scrubbed(_ value: String, under key: String) -> String {
        scrubs(key: key) ? Self.replacement : scrubbed(value)
    }

    /// Returns whether what stands under a key is taken out whole.
    ///
    /// - Parameter key: The key.
    /// - Returns: Whether it is.
    public func scrubs(key: String) -> Bool { !keys.isEmpty && keys.contains(key.lowercased()) }

    /// The ways in which a value is written: as it is, in messages and in JSON.
    private static func spellings(of value: String) -> [[UInt8]] {
        let quoted = JSONText.quoted(value)
        let shown = EscapedText(value).description
        // A message shows the start of a long one.
        let start = shown.hasSuffix("…") && !value.hasSuffix("…") ? String(shown.dropLast()) : shown
        return [Array(value.utf8), Array(start.utf8), Array(quoted[1..<(quoted.count - 1)])]
    }
}

extension Scrubber: CustomStringConvertible, CustomReflectable {
    /// The number of values, without any.
    public var description: String { "scrubber of \(patterns.count) texts and \(keys.count) keys" }
    /// Nothing: the values are what nobody is to read.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Scrubber {
    /// A sink of audit events that takes out what nobody is to read, before another one gets them.
    ///
    /// Reasons and provenance are scrubbed; names of identities stay, since they are what an event is for.
    ///
    /// - Parameter sink: The other one.
    /// - Returns: The sink before it.
    public func scrubbing(_ sink: any AuditSink) -> any AuditSink { ScrubbedAudit(sink: sink, scrubber: self) }

    private struct ScrubbedAudit: AuditSink {
        let sink: any AuditSink
        let scrubber: Scrubber

        func record(_ event: AuditEvent) { sink.record(event.scrubbed(by: scrubber.scrubbed)) }
    }
}
