import HTTPTypes
import Testing

@testable import SCIMUsers

@Suite("A filter of users") struct FilterTests {
    @Test(
        "finds whom it describes, by index or by looking at all",
        arguments: [
            (#"userName eq "ADA@contoso.com""#, "ada"), (#"username EQ "ada@contoso.com""#, "ada"),
            (#"userName ne "ada@contoso.com""#, "bob eve"), (#"userName co "CONTOSO""#, "ada bob eve"),
            (#"userName sw "b""#, "bob"), (#"userName ew ".com""#, "ada bob eve"), (#"userName gt "b""#, "bob eve"),
            (#"externalId eq "7""#, "ada"), (#"externalId eq "A7""#, "bob"), (#"externalId eq "a7""#, ""),
            (#"externalId pr"#, "ada bob"), ("not (externalId pr)", "eve"), ("not(externalId pr)", "eve"),
            ("active eq true", "ada eve"), ("active eq false", "bob"), (#"active eq "False""#, "bob"),
            ("active ne true", "bob"),
            (#"active eq true and userName eq "ada@contoso.com""#, "ada"),
            (#"userName eq "ada@contoso.com" and active eq false"#, ""),
            (#"userName eq "ada@contoso.com" or active eq false"#, "ada bob"),
            (#"active eq false and externalId pr or userName sw "eve""#, "bob eve"),
            (#"active eq false and (externalId pr or userName sw "eve")"#, "bob"),
            (#"name.familyName eq "lovelace""#, "ada"), (#"emails pr"#, "ada"),
            (#"emails eq "ada@home.example""#, "ada"), (#"emails.value ew "home.example""#, "ada"),
            (#"emails.type eq "work""#, "ada"),
            (#"emails[type eq "work" and value ew "home.example"]"#, ""),
            (#"emails[type eq "home" and value ew "home.example"]"#, "ada"),
            (#"emails[not (type eq "work")] and active eq true"#, "ada"),
            (#"urn:ietf:params:scim:schemas:core:2.0:User:userName eq "bob@contoso.com""#, "bob"),
            (#"title eq "a \"quoted\" \u0041""#, "eve"), (#"id eq "nobody""#, ""),
            (#"userName eq "nobody""#, ""), (#"userName eq "' OR 1=1 --""#, ""),
        ]
    )
    func findsWhomItDescribes(filter: String, found: String) async throws {
        try await TestedDirectory().test { client in
            _ = try await client.create(
                "ada@contoso.com",
                #""externalId": "7", "name": {"familyName": "Lovelace"}, "emails": [{"value": "ada@contoso.com", "type": "work"}, {"value": "ada@home.example", "type": "home"}]"#
            )
            _ = try await client.create("bob@contoso.com", #""externalId": "A7", "active": false"#)
            let eve = try await client.create("eve@contoso.com", #""title": "a \"quoted\" A""#)
            let answer = try await client.list(filter)
            #expect(answer.status == 200)
            #expect(answer.names.map { $0.split(separator: "@")[0] }.joined(separator: " ") == found)
            let expected = found.split(separator: " ").count
            #expect(answer["totalResults"] == .number(Double(expected)))
            #expect(try await client.list(#"id eq "\#(eve)" and userName pr"#).names == ["eve@contoso.com"])
            let text = filter.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            let search = try await client.send(.post, "Users/.search", #"{"filter": "\#(text)"}"#)
            #expect(search.names == answer.names)
        }
    }

    @Test(
        "is refused where it cannot be read",
        arguments: [
            "", " ", "userName", "userName eq", "eq", "userName eq ada", "userName is \"ada\"", "userName eq \"ada",
            "userName eq \"ada\\", "userName eq \"\\q\"", "(userName pr", "userName pr)", "userName pr and",
            "or userName pr", "userName pr userName pr", "not userName pr", "emails[type pr", "emails[type pr]]",
            "emails[emails[type pr]]", "name[formatted pr]", "emails[nothing pr]", "nothing pr", "name.nothing pr",
            "userName eq 7", "userName eq true", "active eq \"perhaps\"", "active gt true", "name eq \"Ada\"",
            "userName eq null", "password eq \"x\"", "meta.created gt \"2020\"",
            String(repeating: "(", count: 200) + "userName pr" + String(repeating: ")", count: 200),
            Array(repeating: "userName pr", count: 100).joined(separator: " and "),
            "userName eq \"" + String(repeating: "a", count: 3_000) + "\"",
        ]
    )
    func isRefused(filter: String) async throws {
        try await TestedDirectory().test { client in
            let answer = try await client.list(filter)
            #expect(answer.status == 400 && answer.kind == "invalidFilter", "\(filter): \(answer.body)")
        }
    }

    @Test("gives its users in pages, each once") func givesPages() async throws {
        try await TestedDirectory().test { client in
            for number in 1...7 { _ = try await client.create("user-\(number)") }
            for filter in ["userName pr", ""] {
                var names: [String] = []
                for start in stride(from: 1, through: 9, by: 2) {
                    let query = "&startIndex=\(start)&count=2"
                    let page =
                        filter.isEmpty
                        ? try await client.send(.get, "Users?\(query)") : try await client.list(filter, query)
                    #expect(page["totalResults"] == 7 && page["startIndex"] == .number(Double(start)))
                    #expect(page["itemsPerPage"] == .number(Double(page.names.count)) && page.names.count <= 2)
                    names += page.names
                }
                #expect(names == (1...7).map { "user-\($0)" })
            }
            #expect(try await client.send(.get, "Users?count=0")["totalResults"] == 7)
            #expect(try await client.send(.get, "Users?count=-1&startIndex=-3").names.isEmpty)
            #expect(try await client.send(.get, "Users?count=many").kind == "invalidValue")
            #expect(try await client.send(.get, "Users?startIndex=99999999999999999999").kind == "invalidValue")
            #expect(
                try await client.send(.get, "Users?startIndex=9223372036854775807&filter=userName+pr").names.isEmpty
            )
        }
    }
}
