/// Reads fields from a carrier: HTTP headers, gRPC metadata, a message's attributes.
///
/// The first requirement has the shape of swift-distributed-tracing's `Extractor`, so that a type which conforms to that
/// conforms to this with an empty extension. Where a carrier can hold a key several times, as HTTP headers and gRPC
/// metadata can, implement ``extractAll(key:from:)`` too: what is not returned cannot be refused.
public protocol IdentityExtractor: Sendable {
    /// The type that the fields are read from.
    associatedtype Carrier: Sendable

    /// The value under the key, or `nil` where there is none.
    ///
    /// - Parameters:
    ///   - key: The field's name.
    ///   - carrier: What the field is read from.
    /// - Returns: One value.
    func extract(key: String, from carrier: Carrier) -> String?

    /// Every value under the key, in the carrier's order; without this, what `extract` gives.
    ///
    /// - Parameters:
    ///   - key: The field's name.
    ///   - carrier: What the field is read from.
    /// - Returns: One value for each time that the key is there.
    func extractAll(key: String, from carrier: Carrier) -> [String]
}

extension IdentityExtractor {
    /// Returns what `extract` gives, which is one value at most.
    public func extractAll(key: String, from carrier: Carrier) -> [String] {
        extract(key: key, from: carrier).map { [$0] } ?? []
    }
}
