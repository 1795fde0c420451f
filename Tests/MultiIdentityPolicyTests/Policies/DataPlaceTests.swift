import MultiIdentity
import MultiIdentityPolicy
import Testing

@Suite("The name of a place", .rule("8.3")) struct DataPlaceTests {
    @Test(
        "that takes no account refuses one",
        arguments: [DataPlace.Kind.localStorage, .deviceInput, .space(Users.bob)]
    )
    func takesNoAccount(_ kind: DataPlace.Kind) throws {
        for account in [PlaceAccount.identity(Users.ada), .foreign(name: "ada", at: try ServiceName("box"))] {
            let error = expect(throws: PolicyError.Code.takesNoAccount) { try DataPlace(kind, account: account) }
            #expect(error?.message.contains("\(account)") == true)
        }
        #expect(try DataPlace(kind).account == nil)
    }

    @Test("of nobody is refused") func nobodys() {
        #expect(throws: PolicyError.self) { try DataPlace.space(of: .nobody) }
        expect(throws: PolicyError.Code.nobody) {
            try DataPlace.service("box", account: .identity(.nobody))
        }
    }

    @Test("of a service ignores case", arguments: ["box", "BOX", "bOx"])
    func caseless(
        _ name: String
    ) throws {
        #expect(try DataPlace.service(name) == DataPlace.service("box"))
        #expect(try ServiceName(name).description == "box")
    }

    @Test(
        "of a service is refused if no service can have it",
        arguments: ["", " ", "bo x", "bóx", "box\n", "\u{17F}", "\u{212A}", "a/b", String(repeating: "a", count: 256)]
    )
    func invalid(_ name: String) {
        expect(throws: PolicyError.Code.invalidServiceName) { try DataPlace.service(name) }
    }

    @Test("of a service may have the maximum length") func longest() throws {
        #expect(try ServiceName(String(repeating: "a", count: 255)).name.count == 255)
    }
}
