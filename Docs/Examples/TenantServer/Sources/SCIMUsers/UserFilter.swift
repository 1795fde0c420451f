import MultiIdentity

/// A filter of RFC 7644 (3.4.2.2).
indirect enum UserFilter: Sendable {
    enum Comparison: String, Sendable {
        case eq, ne, co, sw, ew, gt, ge, lt, le
    }

    case isPresent([SchemaAttribute])
    case compares([SchemaAttribute], Comparison, AttributeValue)
    /// One value of an attribute with several meets all of it.
    case has(SchemaAttribute, UserFilter)
    case not(UserFilter)
    case both(UserFilter, UserFilter)
    case either(UserFilter, UserFilter)

    /// Returns whether a user, or a value of an attribute, meets it.
    func matches(_ values: [String: AttributeValue]) -> Bool {
        switch self {
        case .isPresent(let path): !Self.found(path, in: values).isEmpty
        case .compares(let path, .ne, let value):
            !UserFilter.compares(path, .eq, value).matches(values)
        case .compares(let path, let comparison, let value):
            Self.found(path, in: values).contains { Self.holds($0, comparison, value, path.last) }
        case .has(let attribute, let filter):
            Self.elements(values[attribute.name]).contains { filter.matches($0.object ?? [:]) }
        case .not(let filter): !filter.matches(values)
        case .both(let one, let other): one.matches(values) && other.matches(values)
        case .either(let one, let other): one.matches(values) || other.matches(values)
        }
    }

    /// The value that an attribute has to have by it, if there is one: what an index is asked for.
    func required(_ name: String) -> String? {
        switch self {
        case .compares(let path, .eq, let value) where path.count == 1 && path[0].name == name: value.text
        case .both(let one, let other): one.required(name) ?? other.required(name)
        default: nil
        }
    }

    private static func elements(_ value: AttributeValue?) -> [AttributeValue] {
        switch value {
        case nil: []
        case .list(let elements)?: elements
        case let value?: [value]
        }
    }

    private static func found(_ path: [SchemaAttribute], in values: [String: AttributeValue]) -> [AttributeValue] {
        guard let first = path.first else { return [] }
        let found = elements(values[first.name])
        return path.count == 1 ? found : found.flatMap { Self.found(Array(path.dropFirst()), in: $0.object ?? [:]) }
    }

    private static func holds(
        _ value: AttributeValue,
        _ comparison: Comparison,
        _ other: AttributeValue,
        _ attribute: SchemaAttribute?
    ) -> Bool {
        if case .boolean = attribute?.kind { return comparison == .eq && value.boolean == other.boolean }
        guard let one = value.text, let two = other.text, let attribute else { return false }
        let (left, right) = (form(one, of: attribute), form(two, of: attribute))
        return switch comparison {
        case .eq: left == right
        case .ne: left != right
        case .co: right.isEmpty || left.contains(right)
        case .sw: left.hasPrefix(right)
        case .ew: left.hasSuffix(right)
        case .gt: left > right
        case .ge: left >= right
        case .lt: left < right
        case .le: left <= right
        }
    }

    /// The form that all spellings share which an attribute takes for one.
    private static func form(_ text: String, of attribute: SchemaAttribute) -> String {
        if attribute.isCaseExact { return text }
        // Names as the package compares them; part of one need not be one.
        if attribute.isUnique, let identity = try? Identity(text) { return identity.caselessName }
        return text.lowercased()
    }
}
