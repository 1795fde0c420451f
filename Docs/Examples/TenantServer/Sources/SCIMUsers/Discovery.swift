import Foundation

/// The directory as it describes itself (RFC 7644, 4).
enum Discovery: Sendable {
    static let schemaURI = "urn:ietf:params:scim:schemas:core:2.0:Schema"
    static let listURI = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
    static let errorURI = "urn:ietf:params:scim:api:messages:2.0:Error"

    /// The users that an answer has at most.
    static let pageLimit = 1_000

    static let configuration: AttributeValue = [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
        "patch": ["supported": true], "bulk": ["supported": false, "maxOperations": 0, "maxPayloadSize": 0],
        "filter": ["supported": true, "maxResults": .number(Double(pageLimit))],
        "changePassword": ["supported": false], "sort": ["supported": false], "etag": ["supported": true],
        "authenticationSchemes": [
            [
                "type": "oauthbearertoken", "name": "Bearer token", "description": "A token that the server was given",
                "primary": true,
            ]
        ],
    ]

    static let resourceTypes: [AttributeValue] = [
        [
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"], "id": "User", "name": "User",
            "description": "An account", "endpoint": "/Users", "schema": .text(UserSchema.uri),
            "schemaExtensions": [],
        ]
    ]

    /// That of users, and the three that describe what describes them.
    static let schemas: [AttributeValue] = {
        let text = Data(PackageResources.schemas_json)
        return [UserSchema.description] + ((try? JSONDecoder().decode([AttributeValue].self, from: text)) ?? [])
    }()

    /// The answer of a directory's endpoint, whole or one by its id.
    static func answer(_ resources: [AttributeValue], _ id: String?) throws(SCIMError) -> AttributeValue {
        guard let id else { return list(resources, total: resources.count, from: 1) }
        guard let found = resources.first(where: { $0.object?["id"]?.text?.lowercased() == id.lowercased() }) else {
            throw SCIMError.notFound
        }
        return found
    }

    static func list(_ resources: [AttributeValue], total: Int, from start: Int) -> AttributeValue {
        [
            "schemas": [.text(listURI)], "totalResults": .number(Double(total)), "startIndex": .number(Double(start)),
            "itemsPerPage": .number(Double(resources.count)), "Resources": .list(resources),
        ]
    }
}
