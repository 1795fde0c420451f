import Foundation
import HTTPTypes
import MultiIdentity
import Testing

@testable import SCIMUsers

@Suite("A user of a directory") struct UserTests {
    private let ada: Identity
    private let bob: Identity

    init() throws {
        ada = try Identity("ada@contoso.com")
        bob = try Identity("bob@contoso.com")
    }

    @Test("is created, read, replaced, changed and deleted, and the program learns who is there and who left")
    func isCreatedToDeleted() async throws {
        let tested = try TestedDirectory()
        let (ada, bob) = (ada, bob)
        try await tested.test { client in
            let created = try await client.send(
                .post,
                "Users",
                SCIMClient.user("ada@contoso.com", #""externalId": "7", "name": {"familyName": "Lovelace"}"#)
            )
            #expect(created.status == 201 && created["active"] == true)
            #expect(created.headers[.contentType] == "application/scim+json")
            let id = try #require(created["id"]?.text)
            #expect(created.headers[.location] == "/scim/v2/Users/\(id)" && created.headers[.eTag] == #"W/"1""#)
            #expect(tested.told.take() == [.exists(ada)])
            #expect(try tested.directory.isActive(Identity("ADA@Contoso.com")))
            let attributes = try FileManager.default.attributesOfItem(atPath: tested.file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)

            let read = try await client.send(.get, "Users/\(id)")
            #expect(read.status == 200 && read.body == created.body)
            let part = try await client.send(.get, "Users/\(id)?attributes=name.familyName")
            #expect(part["name"] == ["familyName": "Lovelace"] && part["userName"] == nil && part["id"] == .text(id))
            let without = try await client.send(.get, "Users/\(id)?excludedAttributes=name,id")
            #expect(without["name"] == nil && without["userName"] != nil && without["id"] == .text(id))

            let replaced = try await client.send(
                .put,
                "Users/\(id)",
                SCIMClient.user("Ada@contoso.com", #""title": "Countess""#)
            )
            #expect(replaced["title"] == "Countess" && replaced["name"] == nil && replaced["active"] == true)
            #expect(replaced.headers[.eTag] == #"W/"2""#)
            #expect(tested.told.take().isEmpty, "a name in another spelling is the same")

            let off = try await client.patch(id, #"{"op": "Replace", "path": "active", "value": "False"}"#)
            #expect(off.status == 200 && off["active"] == false && tested.told.take() == [.left(ada)])
            #expect(try !tested.directory.isActive(ada))
            #expect(try await client.send(.put, "Users/\(id)", SCIMClient.user("ada@contoso.com"))["active"] == false)
            #expect(tested.told.take().isEmpty, "who is not mentioned as active does not become it")
            let on = try await client.patch(id, #"{"op": "replace", "value": {"active": true, "id": "other"}}"#)
            #expect(on["active"] == true && on["id"] == .text(id) && tested.told.take() == [.exists(ada)])

            let renamed = try await client.patch(
                id,
                #"{"op": "replace", "path": "userName", "value": "bob@contoso.com"}"#
            )
            #expect(renamed.status == 200 && tested.told.take() == [.left(ada), .exists(bob)])
            #expect(try await client.send(.delete, "Users/\(id)").status == 204)
            #expect(tested.told.take() == [.left(bob)])
            for method in [HTTPRequest.Method.get, .delete] {
                #expect(try await client.send(method, "Users/\(id)").status == 404)
            }
            #expect(try await client.patch(id, #"{"op": "remove", "path": "title"}"#).status == 404)
            #expect(tested.told.take().isEmpty)
        }
    }

    @Test("who is sent as inactive has left, though nobody knew of them") func isSentAsInactive() async throws {
        let tested = try TestedDirectory()
        let ada = ada
        try await tested.test { client in
            let id = try await client.create("ada@contoso.com", #""active": false"#)
            #expect(tested.told.take() == [.left(ada)])
            #expect(try await client.send(.delete, "Users/\(id)").status == 204)
            #expect(tested.told.take() == [.left(ada)])
        }
    }

    @Test("shares its name with no other, in whatever case") func sharesItsName() async throws {
        let tested = try TestedDirectory()
        try await tested.test { client in
            _ = try await client.create("straße@contoso.com")
            let bob = try await client.create("bob@contoso.com")
            _ = tested.told.take()
            for name in ["straße@contoso.com", "STRASSE@CONTOSO.COM", "Strasse@contoso.com"] {
                let answer = try await client.send(.post, "Users", SCIMClient.user(name))
                #expect(answer.status == 409 && answer.kind == "uniqueness", "\(name)")
                let patched = try await client.patch(
                    bob,
                    #"{"op": "replace", "path": "userName", "value": "\#(name)"}"#
                )
                #expect(patched.status == 409 && patched.kind == "uniqueness")
                #expect(try await client.list(#"userName eq "\#(name)""#).names == ["straße@contoso.com"])
            }
            #expect(tested.told.take().isEmpty)
            #expect(try await client.send(.get, "Users/\(bob)")["userName"] == "bob@contoso.com")
        }
    }

    @Test("is changed by who has seen it as it is") func isChangedByWhoHasSeenIt() async throws {
        let tested = try TestedDirectory()
        try await tested.test { client in
            let id = try await client.create("ada@contoso.com")
            let user = SCIMClient.user("ada@contoso.com", #""title": "Countess""#)
            let stale = try await client.send(.put, "Users/\(id)", user, fields: [.ifMatch: #"W/"7""#])
            #expect(stale.status == 412)
            #expect(try await client.send(.delete, "Users/\(id)", fields: [.ifMatch: #"W/"7""#]).status == 412)
            #expect(try await client.send(.put, "Users/\(id)", user, fields: [.ifMatch: #"W/"1""#]).status == 200)
            #expect(try await client.send(.delete, "Users/\(id)", fields: [.ifMatch: #"W/"2""#]).status == 204)
        }
    }

    @Test("is shown to nobody without the token, and nothing is done for them", arguments: [nil, "", "another token"])
    func isShownToNobody(token: String?) async throws {
        let tested = try TestedDirectory()
        try await tested.test { client in
            let id = try await client.create("ada@contoso.com")
            _ = tested.told.take()
            for (method, path) in [
                (HTTPRequest.Method.get, "Users"), (.get, "Users/\(id)"), (.delete, "Users/\(id)"), (.post, "Users"),
                (.get, "Schemas"), (.get, "nothing"),
            ] {
                let answer = try await client.send(
                    method,
                    path,
                    method == .post ? SCIMClient.user("eve") : nil,
                    token: token
                )
                #expect(answer.status == 401 && answer.headers[.wwwAuthenticate] == "Bearer")
            }
            #expect(tested.told.take().isEmpty)
            #expect(try await client.send(.get, "Users").names == ["ada@contoso.com"])
        }
    }

    @Test(
        "is refused where it is none, and nothing of it is shown",
        arguments: [
            ("", "invalidSyntax"), ("[]", "invalidSyntax"), ("{", "invalidSyntax"),
            (String(repeating: "[", count: 200_000), "invalidSyntax"),
            (
                SCIMClient.user(
                    "secret",
                    #""x": \#(String(repeating: "[", count: 16))\#(String(repeating: "]", count: 16))"#
                ), "invalidSyntax"
            ),
            // In UTF-16, which hides how deep it nests.
            (SCIMClient.user("secret").map { "\($0)\u{0}" }.joined(), "invalidSyntax"),
            (#"{"userName": "secret"}"#, "invalidSyntax"),
            (#"{"schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "userName": "secret"}"#, "invalidSyntax"),
            (SCIMClient.user("secret", #""USERNAME": "other""#), "invalidSyntax"),
            (SCIMClient.user(" secret"), "invalidValue"), (SCIMClient.user(#"secret\u0000"#), "invalidValue"),
            (SCIMClient.user(""), "invalidValue"), (SCIMClient.user("secret", #""active": "perhaps""#), "invalidValue"),
            (SCIMClient.user("secret", #""title": 7"#), "invalidValue"),
            (SCIMClient.user("secret", #""name": "Lovelace""#), "invalidValue"),
            (
                SCIMClient.user(
                    "secret",
                    #""emails": [{"value": "a", "primary": true}, {"value": "b", "primary": true}]"#
                ),
                "invalidValue"
            ),
            (#"{"schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"]}"#, "invalidValue"),
        ]
    )
    func isRefused(body: String, kind: String) async throws {
        let tested = try TestedDirectory()
        try await tested.test { client in
            let answer = try await client.send(.post, "Users", body)
            #expect(answer.status == 400 && answer.kind == kind, "\(answer.body)")
            #expect(!"\(answer.body)".contains("secret"))
            #expect(try await client.send(.get, "Users")["totalResults"] == 0)
        }
        #expect(tested.told.take().isEmpty)
        #expect(tested.lines.contains(kind) && !tested.lines.contains("secret"), "\(tested.lines)")
    }

    @Test("is refused where its body is too long") func isRefusedWhereItIsTooLong() async throws {
        try await TestedDirectory().test { client in
            let long = SCIMClient.user("ada", #""unknown": "\#(String(repeating: "a", count: 262_144))""#)
            let answer = try await client.send(.post, "Users", long)
            #expect(answer.status == 413)
        }
    }
}
