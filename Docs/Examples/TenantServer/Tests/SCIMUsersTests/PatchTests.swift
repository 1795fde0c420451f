import HTTPTypes
import Testing

@testable import SCIMUsers

@Suite("A change of a user") struct PatchTests {
    private static let emails =
        #""emails": [{"value": "a@work", "type": "work", "primary": true}, {"value": "a@home", "type": "home"}]"#

    @Test(
        "does what its operations say",
        arguments: [
            (#"{"op": "add", "path": "title", "value": "Countess"}"#, "title", #""Countess""#),
            (
                #"{"op": "Add", "value": {"title": "Countess", "name.givenName": "Ada"}}"#, "name",
                #"{"familyName": "L", "givenName": "Ada"}"#
            ),
            (
                #"{"op": "replace", "path": "name", "value": {"givenName": "Ada"}}"#, "name",
                #"{"familyName": "L", "givenName": "Ada"}"#
            ),
            (#"{"op": "replace", "path": "NAME.familyname", "value": "King"}"#, "name", #"{"familyName": "King"}"#),
            (#"{"op": "remove", "path": "name.familyName"}"#, "name", "null"),
            (#"{"op": "remove", "path": "name"}"#, "name", "null"),
            (
                #"{"op": "replace", "path": "urn:ietf:params:scim:schemas:core:2.0:User:name.familyName", "value": "King"}"#,
                "name", #"{"familyName": "King"}"#
            ),
            (#"{"op": "replace", "path": "active", "value": "True"}"#, "active", "true"),
            (#"{"op": "remove", "path": "active"}"#, "active", "null"),
            (
                #"{"op": "replace", "path": "emails[type eq \"work\"].value", "value": "b@work"}"#, "emails",
                #"[{"value": "b@work", "type": "work", "primary": true}, {"value": "a@home", "type": "home"}]"#
            ),
            (
                #"{"op": "add", "path": "emails[type eq \"other\"].value", "value": "c"}"#, "emails",
                #"[{"value": "a@work", "type": "work", "primary": true}, {"value": "a@home", "type": "home"}, {"value": "c", "type": "other"}]"#
            ),
            (
                #"{"op": "remove", "path": "emails[type eq \"work\"]"}"#, "emails",
                #"[{"value": "a@home", "type": "home"}]"#
            ),
            (#"{"op": "replace", "path": "emails", "value": [{"value": "x"}]}"#, "emails", #"[{"value": "x"}]"#),
            (#"{"op": "remove", "path": "emails"}"#, "emails", "null"),
            (
                #"{"op": "add", "path": "emails", "value": {"value": "x", "primary": true}}"#, "emails",
                #"[{"value": "a@work", "type": "work", "primary": false}, {"value": "a@home", "type": "home"}, {"value": "x", "primary": true}]"#
            ),
            (#"{"op": "add", "path": "emails", "value": [{"value": "a@home", "type": "home"}]}"#, "title", "null"),
            (
                #"{"op": "replace", "path": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", "value": "x"}"#,
                "title", "null"
            ),
            (#"{"op": "add", "path": "title", "value": "x"}, {"op": "remove", "path": "title"}"#, "title", "null"),
        ]
    )
    func doesWhatItSays(operations: String, attribute: String, expected: String) async throws {
        try await TestedDirectory().test { client in
            let id = try await client.create("ada@contoso.com", #""name": {"familyName": "L"}, \#(Self.emails)"#)
            let answer = try await client.patch(id, operations)
            #expect(answer.status == 200, "\(answer.body)")
            let value = try AttributeValue.read(.init(expected.utf8))
            #expect((answer[attribute] ?? .null) == value)
            #expect(try await client.send(.get, "Users/\(id)").body == answer.body)
        }
    }

    @Test(
        "is refused whole where one of its operations is wrong",
        arguments: [
            (#"{"op": "move", "path": "title", "value": "x"}"#, "invalidSyntax"), (#"{}"#, "invalidSyntax"),
            ("7", "invalidSyntax"),
            (#"{"op": "add", "path": "nothing", "value": "x"}"#, "invalidPath"),
            (#"{"op": "add", "path": "emails[", "value": "x"}"#, "invalidPath"),
            (#"{"op": "add", "path": "title[type eq \"x\"]", "value": "x"}"#, "invalidPath"),
            (#"{"op": "add", "path": "emails[type].value", "value": "x"}"#, "invalidFilter"),
            (#"{"op": "add", "path": 7, "value": "x"}"#, "invalidPath"),
            (#"{"op": "replace", "path": "emails[type eq \"other\"].value", "value": "x"}"#, "noTarget"),
            (#"{"op": "remove"}"#, "noTarget"), (#"{"op": "add", "path": "title"}"#, "invalidValue"),
            (#"{"op": "add", "path": "title", "value": {}}"#, "invalidValue"),
            (#"{"op": "add", "value": "x"}"#, "invalidValue"),
            (#"{"op": "replace", "path": "active", "value": 1}"#, "invalidValue"),
            (#"{"op": "replace", "path": "userName", "value": ""}"#, "invalidValue"),
            (#"{"op": "remove", "path": "userName"}"#, "mutability"),
            (#"{"op": "replace", "path": "id", "value": "x"}"#, "mutability"),
            (#"{"op": "replace", "path": "meta.created", "value": "x"}"#, "mutability"),
        ]
    )
    func isRefusedWhole(operation: String, kind: String) async throws {
        let tested = try TestedDirectory()
        try await tested.test { client in
            let id = try await client.create("ada@contoso.com", Self.emails)
            let before = try await client.send(.get, "Users/\(id)").body
            _ = tested.told.take()
            let answer = try await client.patch(
                id,
                #"{"op": "replace", "path": "active", "value": false}, \#(operation)"#
            )
            #expect(answer.status == 400 && answer.kind == kind, "\(answer.body)")
            #expect(try await client.send(.get, "Users/\(id)").body == before)
            #expect(tested.told.take().isEmpty)
        }
    }
}
