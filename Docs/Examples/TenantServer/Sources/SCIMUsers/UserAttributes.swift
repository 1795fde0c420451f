import MultiIdentity

/// The attributes of a user that clients write, under their names in the schema, each of its type.
struct UserAttributes: Hashable, Sendable {
    let values: [String: AttributeValue]
    /// The name of the user as an identity.
    let identity: Identity

    var isActive: Bool { values["active"] == .boolean(true) }
    var externalID: String? { values["externalId"]?.text }

    /// The attributes of a body, in the place of others.
    ///
    /// - Parameters:
    ///   - body: The body of a POST or a PUT. Attributes that the schema does not have are passed over.
    ///   - isActive: Whether the user is active where the body does not say so.
    /// - Throws: ``SCIMError``.
    init(_ body: AttributeValue, orActive isActive: Bool) throws(SCIMError) {
        guard let members = body.members else {
            throw SCIMError(.invalidSyntax, "The body is no object, or has one attribute twice.")
        }
        guard case .list(let schemas) = members["schemas"], schemas.contains(.text(UserSchema.uri)) else {
            throw SCIMError(.invalidSyntax, "The body's schemas do not have that of users. Add it.")
        }
        var values: [String: AttributeValue] = ["active": .boolean(isActive)]
        for attribute in UserSchema.writable {
            guard let value = members[attribute.name.lowercased()], value != .null else { continue }
            values[attribute.name] = value
        }
        try self.init(values)
    }

    /// The attributes with these values, each of which is checked.
    init(_ values: [String: AttributeValue]) throws(SCIMError) {
        var checked: [String: AttributeValue] = [:]
        for attribute in UserSchema.writable {
            if let value = values[attribute.name] { checked[attribute.name] = try Self.checked(value, attribute) }
        }
        guard let name = checked["userName"]?.text else {
            throw SCIMError(.invalidValue, "A user has no userName. Give one.")
        }
        guard let identity = try? Identity(name) else {
            throw SCIMError(
                .invalidValue,
                "The userName is no name: 1 to 1,024 bytes, without control characters, or white space at an end."
            )
        }
        self.values = checked
        self.identity = identity
    }

    /// A value as its attribute has it; `nil` where it says that there is none.
    static func checked(_ value: AttributeValue, _ attribute: SchemaAttribute) throws(SCIMError) -> AttributeValue? {
        guard attribute.isMultivalued else { return try single(value, attribute) }
        let elements = if case .list(let elements) = value { elements } else { [value] }
        guard elements.count <= 100 else { throw SCIMError(.tooMany, "\(attribute.name) has more than 100 values.") }
        var list: [AttributeValue] = []
        for element in elements {
            if let element = try single(element, attribute), !list.contains(element) { list.append(element) }
        }
        guard list.count(where: { $0.object?["primary"] == .boolean(true) }) <= 1 else {
            throw SCIMError(.invalidValue, "\(attribute.name) has more than one primary value.")
        }
        return list.isEmpty ? nil : .list(list)
    }

    private static func single(
        _ value: AttributeValue,
        _ attribute: SchemaAttribute
    ) throws(SCIMError) -> AttributeValue? {
        if value == .null { return nil }
        switch attribute.kind {
        case .text:
            guard let text = value.text, text.utf8.count <= 4_096 else {
                throw SCIMError(.invalidValue, "\(attribute.name) is no text of at most 4,096 bytes.")
            }
            return value
        case .boolean:
            guard let boolean = value.boolean else {
                throw SCIMError(.invalidValue, "\(attribute.name) is neither true nor false.")
            }
            return .boolean(boolean)
        case .complex(let members):
            guard let given = value.members else {
                throw SCIMError(.invalidValue, "\(attribute.name) is no object, or has one attribute twice.")
            }
            var object: [String: AttributeValue] = [:]
            for member in members {
                guard let value = given[member.name.lowercased()] else { continue }
                object[member.name] = try single(value, member)
            }
            return object.isEmpty ? nil : .object(object)
        }
    }
}
