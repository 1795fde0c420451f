#if Logging
public import Logging
@_spi(Scrubbing) public import MultiIdentityManagement

/// A log handler that removes confidential data before another handler gets the line.
///
/// ```swift
/// let scrubber = Scrubber(settings)
/// LoggingSystem.bootstrap({ label, provider in
///     ScrubbingLogHandler(StreamLogHandler.standardOutput(label: label, metadataProvider: provider), scrubber)
/// }, metadataProvider: .identity)
/// ```
///
/// Wrap the complete handler of `bootstrap`, including a `MultiplexLogHandler`, so that no second handler sees what this one
/// removes. Metadata providers are called here, not by the other handler, which would add unscrubbed values. Errors become texts.
public struct ScrubbingLogHandler: LogHandler {
    private var handler: any LogHandler
    private let scrubber: Scrubber
    /// The provider of metadata for each line.
    public var metadataProvider: Logger.MetadataProvider?

    /// Wraps another handler.
    ///
    /// - Parameters:
    ///   - handler: The other handler; its metadata and provider are taken over.
    ///   - scrubber: The texts and keys to remove.
    public init(_ handler: any LogHandler, _ scrubber: Scrubber) {
        self.handler = handler
        self.scrubber = scrubber
        metadataProvider = handler.metadataProvider
        if metadataProvider != nil { self.handler.metadataProvider = nil }
        metadata = handler.metadata
    }

    /// The minimum level of logged lines.
    public var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    /// The metadata of each line, scrubbed.
    public var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = scrubber.scrubbed(newValue) }
    }

    /// One value of each line's metadata, scrubbed.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue.map { scrubber.scrubbed($0, under: key) } }
    }

    /// Passes a line on, with its message, metadata and error scrubbed.
    public func log(event: LogEvent) {
        var event = event
        event.message = "\(scrubber.scrubbed(event.message.description))"
        event.error = event.error.map { ScrubbedError(description: scrubber.scrubbed("\($0)")) }
        let provided = metadataProvider?.get() ?? [:]
        if !provided.isEmpty || event.metadata != nil {
            // The line's own values win over a provider's, as in every handler; the logger's win over both.
            let own = provided.filter { handler[metadataKey: $0.key] == nil }
            event.metadata = scrubber.scrubbed(own.merging(event.metadata ?? [:]) { $1 })
        }
        handler.log(event: event)
    }
}

/// An error as a scrubbed log shows it: its description without confidential data.
struct ScrubbedError: Error, CustomStringConvertible {
    let description: String
}

/// A mark on a value of a log's metadata: `["card": "\(number, attributes: [LogSecrecy.secret])"]`.
public enum LogSecrecy: Int64, Sendable, Logger.MetadataValueAttributes.Attribute {
    /// The value must not be shown.
    case secret = 1
}

extension Scrubber {
    func scrubbed(_ metadata: Logger.Metadata) -> Logger.Metadata {
        var scrubbed: Logger.Metadata = [:]
        for (key, value) in metadata { scrubbed[self.scrubbed(key)] = self.scrubbed(value, under: key) }
        return scrubbed
    }

    func scrubbed(_ value: Logger.MetadataValue, under key: String) -> Logger.MetadataValue {
        if scrubs(key: key) { return .string(Self.replacement) }
        switch value {
        case .string(let text): return .string(scrubbed(text))
        case .stringConvertible(let convertible):
            let attributes = value.attributes
            let isSecret = attributes[LogSecrecy.self] == .secret
            let text = isSecret ? Self.replacement : scrubbed(convertible.description)
            // As text: what the value shows later, or in another form, has not been checked.
            return attributes == [] ? .string(text) : .attributed(text, attributes: attributes)
        case .dictionary(let metadata): return .dictionary(scrubbed(metadata))
        case .array(let values): return .array(values.map { scrubbed($0, under: "") })
        }
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"Logging\"])")
#endif
