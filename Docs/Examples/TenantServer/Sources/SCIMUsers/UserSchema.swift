/// An attribute of the schema of users (RFC 7643, 4.1), as far as this directory keeps it.
struct SchemaAttribute: Sendable {
    enum Kind: Sendable {
        case text
        case boolean
        case complex([SchemaAttribute])
    }

    let name: String
    let kind: Kind
    var isMultivalued = false
    var isRequired = false
    var isCaseExact = false
    var isUnique = false

    var members: [SchemaAttribute] { if case .complex(let members) = kind { members } else { [] } }

    /// The attribute of a name, which has no case.
    static func find(_ name: String, in attributes: [SchemaAttribute]) -> SchemaAttribute? {
        let name = name.lowercased()
        return attributes.first { $0.name.lowercased() == name }
    }
}

enum UserSchema: Sendable {
    static let uri = "urn:ietf:params:scim:schemas:core:2.0:User"

    private static func text(_ name: String) -> SchemaAttribute { SchemaAttribute(name: name, kind: .text) }

    private static let values = [
        text("value"), text("display"), text("type"), SchemaAttribute(name: "primary", kind: .boolean),
    ]

    /// The attributes that a client may write.
    static let attributes = [
        SchemaAttribute(name: "userName", kind: .text, isRequired: true, isUnique: true),
        SchemaAttribute(
            name: "name",
            kind: .complex([
                text("formatted"), text("familyName"), text("givenName"), text("middleName"), text("honorificPrefix"),
                text("honorificSuffix"),
            ])
        ),
        text("displayName"), text("nickName"), text("title"), text("userType"), text("preferredLanguage"),
        text("locale"), text("timezone"),
        SchemaAttribute(name: "active", kind: .boolean),
        SchemaAttribute(name: "emails", kind: .complex(values), isMultivalued: true),
        SchemaAttribute(name: "phoneNumbers", kind: .complex(values), isMultivalued: true),
    ]

    /// An attribute that all resources have, and no schema lists.
    static let externalID = SchemaAttribute(name: "externalId", kind: .text, isCaseExact: true)
    static let id = SchemaAttribute(name: "id", kind: .text, isCaseExact: true)

    static let writable = attributes + [externalID]

    /// Names that a client may send and cannot change.
    static let readOnly: Set<String> = ["id", "meta", "schemas", "groups"]

    /// The schema as `/Schemas` shows it.
    static var description: AttributeValue {
        [
            "schemas": [.text(Discovery.schemaURI)], "id": .text(uri), "name": "User", "description": "An account",
            "attributes": .list(attributes.map(description)),
        ]
    }

    private static func description(_ attribute: SchemaAttribute) -> AttributeValue {
        let type: AttributeValue =
            switch attribute.kind {
            case .text: "string"
            case .boolean: "boolean"
            case .complex: "complex"
            }
        var fields: [String: AttributeValue] = [
            "name": .text(attribute.name), "type": type, "multiValued": .boolean(attribute.isMultivalued),
            "description": .text(attribute.name), "required": .boolean(attribute.isRequired),
            "caseExact": .boolean(attribute.isCaseExact), "mutability": "readWrite", "returned": "default",
            "uniqueness": attribute.isUnique ? "server" : "none",
        ]
        if !attribute.members.isEmpty { fields["subAttributes"] = .list(attribute.members.map(description)) }
        return .object(fields)
    }
}
