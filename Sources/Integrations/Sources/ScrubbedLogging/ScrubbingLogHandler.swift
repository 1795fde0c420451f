#if Logging
public import Logging
public import MultiIdentityManagement

/// A log handler that takes out what nobody is to read, before another one gets it.
///
/// ```swift
/// let scrubber = Scrubber(settings)
/// LoggingSystem.bootstrap({ label, provider in
///     ScrubbingLogHandler(StreamLogHandler.standardOutput(label: label, metadataProvider: provider), scrubber)
/// }, metadataProvider: .identity)
/// ```
///
/// Wrap what `bootstrap` gets as a whole, a `MultiplexLogHandler` too, so that no second handler sees what this one takes out. Providers of
/// metadata are asked here and not by the other handler, which would add what they say behind it. Errors come as texts.
public struct ScrubbingLogHandler: LogHandler {
    private var handler: any LogHandler
    private let scrubber: Scrubber
    /// The provider that is asked for metadata of each line.
    public var metadataProvider: Logger.MetadataProvider?

    /// A handler before another one.
    ///
    /// - Parameters:
    ///   - handler: The other one; its metadata and provider are taken over.
    ///   - scrubber: The texts and keys to be taken out.
    public init(_ handler: any LogHandler, _ scrubber: Scrubber) {
        self.handler = handler
        self.scrubber = scrubber
        metadataProvider = handler.metadataProvider
        if metadataProvider != nil { self.handler.metadataProvider = nil }
        metadata = handler.metadata
    }

    /// The level from which on lines are logged.
    public var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    /// The metadata of each line, scrubbed.
    public var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = scrubber.scrubbed(newValue) }
    }

    /// One value of the metadata of each line, scrubbed.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue.map { scrubber.scrubbed($0, under: key) } }
    }

    /// Hands a line on, with its message, metadata and error scrubbed.
    public func log(event: LogEvent) {
        var event = event
        event.message = "\(scrubber.scrubbed(event.message.description))"
        event.error = event.error.map { ScrubbedError(description: scrubber.scrubbed("\($0)")) }
        let provided = metadataProvider?.get() ?? [:]
        if !provided.isEmpty || event.metadata != nil {
            // What is said at the line counts before what a provider says, as in every handler; what a logger has, before both of others.
            let own = provided.filter { handler[metadataKey: $0.key] == nil }
            event.metadata = scrubber.scrubbed(own.merging(event.metadata ?? [:]) { $1 })
        }
        handler.log(event: event)
    }
}

/// An error as a scrubbed log shows it: its description, without what nobody is to read.
struct ScrubbedError: Error, CustomStringConvertible {
    let description: String
}

/// A mark on a value of a log's metadata: `["card": "\(number, attributes: [LogSecrecy.secret])"]`.
public enum LogSecrecy: Int64, Sendable, Logger.MetadataValueAttributes.Attribute {
    /// Nobody is to read the value.
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
            // As a text: what it shows later, or otherwise, nobody has looked at.
            return attributes == [] ? .string(text) : .attributed(text, attributes: attributes)
        case .dictionary(let metadata): return .dictionary(scrubbed(metadata))
        case .array(let values): return .array(values.map { scrubbed($0, under: "") })
        }
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"Logging\"])")
#endif
