/// An injector and an extractor of one kind of carrier as one, where they are two types.
///
/// ```swift
/// let fields = IdentityFields(injector: HTTPHeadersInjector(), extractor: HTTPHeadersExtractor())
/// ```
public struct IdentityFields<Injector: IdentityInjector, Extractor: IdentityExtractor>: Sendable
where Injector.Carrier == Extractor.Carrier {
    private let injector: Injector
    private let extractor: Extractor

    /// Both as one.
    ///
    /// - Parameters:
    ///   - injector: Writes the fields.
    ///   - extractor: Reads them.
    public init(injector: Injector, extractor: Extractor) {
        self.injector = injector
        self.extractor = extractor
    }
}

extension IdentityFields: IdentityInjector {
    /// As the injector does.
    public func inject(_ value: String, forKey key: String, into carrier: inout Injector.Carrier) {
        injector.inject(value, forKey: key, into: &carrier)
    }

    /// As the injector does.
    public func removeAll(forKey key: String, from carrier: inout Injector.Carrier) {
        injector.removeAll(forKey: key, from: &carrier)
    }
}

extension IdentityFields: IdentityExtractor {
    /// As the extractor does.
    public func extract(key: String, from carrier: Injector.Carrier) -> String? {
        extractor.extract(key: key, from: carrier)
    }

    /// As the extractor does.
    public func extractAll(key: String, from carrier: Injector.Carrier) -> [String] {
        extractor.extractAll(key: key, from: carrier)
    }
}
