import Logging
import LoggingIdentity

/// A log with lines that can be waited for.
struct StreamedLog: LogHandler {
    /// A line, and its identity.
    struct Line: Sendable {
        let message: String
        let identity: String?
        let marker: String?
    }

    let lines: AsyncStream<Line>
    private let continuation: AsyncStream<Line>.Continuation
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider? = .identity
    var logLevel = Logger.Level.info

    init() { (lines, continuation) = AsyncStream.makeStream() }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = (metadataProvider?.get() ?? [:]).merging(event.metadata ?? [:]) { _, explicit in explicit }
        continuation.yield(
            Line(
                message: event.message.description,
                identity: all["identity"]?.description,
                marker: all["marker"]?.description
            )
        )
    }
}
