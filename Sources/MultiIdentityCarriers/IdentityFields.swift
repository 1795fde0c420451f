/// Combines an injector and an extractor of one kind of carrier, if they are two types.
///
/// ```swift
/// let fields = IdentityFields(injector: HTTPHeadersInjector(), extractor: HTTPHeadersExtractor())
/// ```
public struct IdentityFields<Injector: IdentityInjector, Extractor: IdentityExtractor>: Sendable
where Injector.Carrier == Extractor.Carrier {
    private let injector: Injector
    private let extractor: Extractor

    /// Creates the combination.
    ///
    /// - Parameters:
    ///   - injector: Writes the fields.
    ///   - extractor: Reads the fields.
    public init(injector: Injector, extractor: Extractor) {
        self.injector = injector
        self.extractor = extractor
    }
}

extension IdentityFields: IdentityInjector {
    /// Writes a field with the injector.
    public func inject(_ value: String, forKey key: String, into carrier: inout Injector.Carrier) {
        injector.inject(value, forKey: key, into: &carrier)
    }

    /// Removes a field with the injector.
    public func removeAll(forKey key: String, from carrier: inout Injector.Carrier) {
        injector.removeAll(forKey: key, from: &carrier)
    }
}

extension IdentityFields: IdentityExtractor {
    /// Reads a field with the extractor.
    public func extract(key: String, from carrier: Injector.Carrier) -> String? {
        extractor.extract(key: key, from: carrier)
    }

    /// Reads all values of a field with the extractor.
    public func extractAll(key: String, from carrier: Injector.Carrier) -> [String] {
        extractor.extractAll(key: key, from: carrier)
    }
}
