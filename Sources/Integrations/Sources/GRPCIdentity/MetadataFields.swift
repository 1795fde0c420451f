#if GRPC
public import GRPCCore
import MultiIdentity
public import MultiIdentityCarriers

/// Reads and writes the fields of a call's metadata; every value of a key is given out, since two that differ are refused.
public struct MetadataFields: IdentityInjector, IdentityExtractor {
    /// Stateless.
    public init() {}

    /// Replaces whatever the key has.
    public func inject(_ value: String, forKey key: String, into carrier: inout Metadata) {
        carrier.replaceOrAddString(value, forKey: key)
    }

    /// Removes every value of the key.
    public func removeAll(forKey key: String, from carrier: inout Metadata) { carrier.removeAllValues(forKey: key) }

    /// The first value of the key.
    public func extract(key: String, from carrier: Metadata) -> String? { extractAll(key: key, from: carrier).first }

    /// Every value of the key.
    public func extractAll(key: String, from carrier: Metadata) -> [String] { carrier[key].map { $0.encoded() } }
}
#endif
