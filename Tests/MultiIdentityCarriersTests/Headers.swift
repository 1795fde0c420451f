import MultiIdentity
import MultiIdentityCarriers

/// HTTP headers: names ignore case, and can repeat.
struct Headers: Hashable, Sendable {
    struct Field: Hashable, Sendable {
        let name: String
        let value: String
    }

    var fields: [Field]

    init(_ fields: [(String, String)] = []) { self.fields = fields.map { Field(name: $0, value: $1) } }

    /// One field for each value.
    init(baggage values: [String]) { self.init(values.map { ("baggage", $0) }) }

    subscript(_ name: String) -> [String] {
        get { fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value) }
        set {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            fields += newValue.map { Field(name: name, value: $0) }
        }
    }
}

/// Reads and writes them correctly.
struct HeaderFields: IdentityInjector, IdentityExtractor {
    func inject(_ value: String, forKey key: String, into headers: inout Headers) { headers[key] = [value] }
    func removeAll(forKey key: String, from headers: inout Headers) { headers[key] = [] }
    func extract(key: String, from headers: Headers) -> String? { headers[key].first }
    func extractAll(key: String, from headers: Headers) -> [String] { headers[key] }
}

/// Adds a field instead of replacing one.
struct AddingFields: IdentityInjector, IdentityExtractor {
    func inject(_ value: String, forKey key: String, into headers: inout Headers) { headers[key] += [value] }
    func extract(key: String, from headers: Headers) -> String? { headers[key].first }
    func extractAll(key: String, from headers: Headers) -> [String] { headers[key] }
}

// Types with the exact form of those that conform to swift-distributed-tracing's `Injector` and `Extractor`.

struct TracingInjector: Sendable {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
}

struct TracingExtractor: Sendable {
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}

extension TracingInjector: IdentityInjector {}
extension TracingExtractor: IdentityExtractor {}
