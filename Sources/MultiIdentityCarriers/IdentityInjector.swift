/// Writes fields into a carrier: HTTP headers, gRPC metadata, a message's attributes.
///
/// The first requirement matches swift-distributed-tracing's `Injector`, so a type that conforms to it conforms to this
/// with an empty extension.
///
/// An existing field must be *replaced*. ``IdentityBaggage`` checks that afterwards, and throws if the carrier still
/// has another value.
public protocol IdentityInjector: Sendable {
    /// The type that the fields are written into.
    associatedtype Carrier: Sendable

    /// Sets the value of a key, in place of all others.
    ///
    /// - Parameters:
    ///   - value: The field's value.
    ///   - key: The field's name.
    ///   - carrier: The carrier.
    func inject(_ value: String, forKey key: String, into carrier: inout Carrier)

    /// Removes all values of a key; by default, injects an empty value instead.
    ///
    /// - Parameters:
    ///   - key: The field's name.
    ///   - carrier: The carrier.
    func removeAll(forKey key: String, from carrier: inout Carrier)
}

extension IdentityInjector {
    /// Injects an empty value, which has no members.
    public func removeAll(forKey key: String, from carrier: inout Carrier) { inject("", forKey: key, into: &carrier) }
}
