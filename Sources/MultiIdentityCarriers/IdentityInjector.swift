/// Writes fields into a carrier: HTTP headers, gRPC metadata, a message's attributes.
///
/// The first requirement has the shape of swift-distributed-tracing's `Injector`, so that a type which conforms to that
/// conforms to this with an empty extension.
///
/// A field that is there already has to be *replaced*. ``IdentityBaggage`` looks afterwards, and throws where a carrier
/// still has another value.
public protocol IdentityInjector: Sendable {
    /// The type that the fields are written into.
    associatedtype Carrier: Sendable

    /// Has the carrier hold this value, and no other, under the key.
    ///
    /// - Parameters:
    ///   - value: The field's value.
    ///   - key: The field's name.
    ///   - carrier: What the field is written into.
    func inject(_ value: String, forKey key: String, into carrier: inout Carrier)

    /// Has the carrier hold nothing under the key; without this, an empty value is injected instead.
    ///
    /// - Parameters:
    ///   - key: The field's name.
    ///   - carrier: What the field is removed from, every time that it is there.
    func removeAll(forKey key: String, from carrier: inout Carrier)
}

extension IdentityInjector {
    /// Injects an empty value, which holds no members.
    public func removeAll(forKey key: String, from carrier: inout Carrier) { inject("", forKey: key, into: &carrier) }
}
