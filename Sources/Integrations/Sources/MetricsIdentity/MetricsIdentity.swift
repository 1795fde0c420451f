#if Metrics
import Metrics
public import MultiIdentity

/// The identity as a dimension of metrics, limited to the identities that you name.
///
/// A metrics backend keeps a series for each value that a dimension ever had: one for each of a million users
/// is an outage. So only the given identities are named; all others are `other`, and no identity is `none`.
///
/// ```swift
/// let largest = IdentityDimension(naming: try ["ada@contoso.com", "grace@contoso.com"].map { try Identity($0) })
/// Counter(label: "reports", dimensions: [largest.current]).increment()
/// ```
public struct IdentityDimension: Sendable {
    private let named: [Identity: String]

    /// - Parameter identities: The identities with their own series, in the spelling given here.
    public init(naming identities: some Sequence<Identity>) {
        named = Dictionary(identities.map { ($0, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// The dimension for the current identity.
    public var current: (String, String) { ("identity", value(for: Identity.current)) }

    /// The value for an identity.
    ///
    /// - Parameter identity: The identity of the work that is measured.
    /// - Returns: The name as first given, `other`, or `none`.
    public func value(for identity: Identity?) -> String {
        guard let identity, !identity.isNobody else { return "none" }
        return named[identity] ?? "other"
    }
}

extension IdentityCompanions {
    /// Makes the metrics factory cross every boundary with the identity, as bound by `withMetricsFactory` at the
    /// hand-over.
    public static func carryMetricsFactory() {
        carry("swift-metrics") {
            MetricsSystem.factory
        } binding: { factory, work in
            withMetricsFactory(factory, work)
        } bindingAsync: { factory, work in
            await withMetricsFactory(factory, work)
        }
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"Metrics\"])")
#endif
