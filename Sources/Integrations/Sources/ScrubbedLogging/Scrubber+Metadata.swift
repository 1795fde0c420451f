#if Logging
public import Logging
import MultiIdentityManagement

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
#endif
