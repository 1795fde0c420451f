/// Reads fields from a carrier: HTTP headers, gRPC metadata, a message's attributes.
///
/// The first requirement matches swift-distributed-tracing's `Extractor`, so a type that conforms to it conforms to
/// this with an empty extension. If a carrier can contain a key several times, as HTTP headers and gRPC metadata can,
/// implement ``extractAll(key:from:)`` too: a value that is not returned cannot be refused.
public protocol IdentityExtractor: Sendable {
    /// The type that the fields are read from.
    associatedtype Carrier: Sendable

    /// Returns the value of a key; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - key: The field's name.
    ///   - carrier: The carrier.
    /// - Returns: One value.
    func extract(key: String, from carrier: Carrier) -> String?

    /// Returns every value of a key, in the carrier's order; by default the result of `extract`.
    ///
    /// - Parameters:
    ///   - key: The field's name.
    ///   - carrier: The carrier.
    /// - Returns: One value for each occurrence of the key.
    func extractAll(key: String, from carrier: Carrier) -> [String]
}

extension IdentityExtractor {
    /// Returns the result of `extract`, at most one value.
    public func extractAll(key: String, from carrier: Carrier) -> [String] {
        extract(key: key, from: carrier).map { [$0] } ?? []
    }
}
