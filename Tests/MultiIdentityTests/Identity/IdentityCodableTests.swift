import Foundation
import MultiIdentity
import Testing

@Suite("An identity is encoded and decoded") struct IdentityCodableTests {
    private struct Letter: Codable, Equatable {
        var from: Identity?
        var to: Identity
    }

    @Test(
        "in its spelling, as a string",
        arguments: ["ada@contoso.com", "ADA@Contoso.com", "3EC2C00F", "Straße", "a\"b"]
    )
    func roundTrip(_ name: String) throws {
        let identity = try Identity(name)
        let data = try JSONEncoder().encode([identity])
        #expect(try JSONDecoder().decode([String].self, from: data) == [name])
        let again = try JSONDecoder().decode([Identity].self, from: data)
        #expect(again == [identity])
        #expect(again.first?.name == name)
    }

    @Test("nobody is encoded as no string could be", .rule("1.3"))
    func nobody() throws {
        let data = try JSONEncoder().encode(Identity.nobody)
        #expect(String(decoding: data, as: UTF8.self) == #"{"nobody":true}"#)
        #expect(try JSONDecoder().decode(Identity.self, from: data).isNobody)
    }

    @Test("unset, nobody and named stay distinct in arrays and in properties", .rule("1.3"))
    func threeValues() throws {
        let values: [Identity?] = [nil, .nobody, ada, try Identity("nobody"), try Identity("null"), nil]
        let data = try JSONEncoder().encode(values)
        #expect(
            String(decoding: data, as: UTF8.self) == #"[null,{"nobody":true},"ada@contoso.com","nobody","null",null]"#
        )
        #expect(try JSONDecoder().decode([Identity?].self, from: data) == values)
        for from in values {
            let letter = Letter(from: from, to: .nobody)
            #expect(try JSONDecoder().decode(Letter.self, from: JSONEncoder().encode(letter)) == letter)
        }
    }

    @Test("in property lists as in JSON")
    func propertyList() throws {
        let values = [Identity.nobody, try Identity("Ada@contoso.com")]
        let data = try PropertyListEncoder().encode(values)
        let again = try PropertyListDecoder().decode([Identity].self, from: data)
        #expect(again == values)
        #expect(again.map(\.name) == values.map(\.name))
    }

    @Test("as a dictionary's key")
    func key() throws {
        let mail: [Identity: Int] = [.nobody: 0, try Identity("ada@contoso.com"): 1]
        #expect(try JSONDecoder().decode([Identity: Int].self, from: JSONEncoder().encode(mail)) == mail)
    }

    @Test(
        "a name that breaks a rule is also refused when decoded",
        .rule("1.4"),
        arguments: [
            (#"[""]"#, IdentityError.Code.emptyName, 0), (#"["ada "]"#, .surroundingWhiteSpace, 3),
            (#"["ad\na"]"#, .lineBreak, 2), (#"["a\u0007"]"#, .controlCharacter, 1),
        ]
    )
    func refused(_ json: String, _ code: IdentityError.Code, _ offset: Int) throws {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Identity].self, from: Data(json.utf8))
        }
        guard case .dataCorrupted(let context) = try #require(error) else {
            Issue.record("not dataCorrupted: \(String(describing: error))")
            return
        }
        let cause = try #require(context.underlyingError as? IdentityError)
        #expect(cause.code == code)
        #expect(cause.utf8Offset == offset)
        #expect(context.debugDescription == cause.message)
        #expect(context.codingPath.map(\.intValue) == [0])
    }

    @Test(
        "values other than a name and nobody are refused",
        arguments: ["[1]", "[true]", "[{}]", #"[{"nobody":false}]"#, #"[{"nobody":"yes"}]"#, "[[]]", "[null]"]
    )
    func foreign(_ json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Identity].self, from: Data(json.utf8)) }
    }
}
