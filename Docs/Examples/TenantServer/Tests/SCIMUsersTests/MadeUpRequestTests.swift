import Foundation
import HTTPTypes
import Testing

@testable import SCIMUsers

@Suite("A made-up request of a directory") struct MadeUpRequestTests {
    private static let words = [
        "userName", "eq", "pr", "and", "or", "not", "(", ")", "[", "]", "emails", ".", "value", "\"ada\"", "\"", "\\",
        "true",
        "active", "id", "urn:ietf:params:scim:schemas:core:2.0:User:", "{", "}", ":", ",", "schemas", "Operations",
        "\"op\"",
        "\"replace\"", "\"path\"", "null", "1e999", "-1", "é", "\u{0}", " ", "%", "&", "=", "externalId",
        "name.familyName",
    ]

    /// A value of JSON with names that mean something.
    private static func value(_ random: inout SeededGenerator, _ depth: Int = 0) -> String {
        let names = [
            "userName", "active", "emails", "name", "value", "op", "path", "Operations", "schemas", "type", "primary",
            "id",
        ]
        let texts = [
            "ada", "replace", "add", "remove", "emails[type eq \\\"work\\\"].value", "active", "userName",
            "name.familyName", "", "False",
            UserSchema.uri, "emails[", "\\u0000", "id",
        ]
        switch random.below(depth > 3 ? 5 : 8) {
        case 0: return "null"
        case 1: return random.below(2) == 0 ? "true" : "false"
        case 2: return "\(random.below(1_000) - 500)"
        case 3, 4: return "\"\(texts[random.below(texts.count)])\""
        case 5: return "[" + (0..<random.below(4)).map { _ in value(&random, depth + 1) }.joined(separator: ",") + "]"
        default:
            let members = (0..<random.below(5)).map { _ in
                "\"\(names[random.below(names.count)])\": \(value(&random, depth + 1))"
            }
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        (0..<random.below(14)).map { _ in words[random.below(words.count)] }.joined(
            separator: random.below(2) == 0 ? " " : ""
        )
    }

    @Test("ends in an answer, and never in one of a server's failure, 1,500 times") func endsInAnAnswer() async throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed of made-up requests: \(seed)")
        let tested = try TestedDirectory()
        try await tested.test { client in
            var random = SeededGenerator(seed: seed)
            let id = try await client.create("ada@contoso.com", #""emails": [{"value": "a", "type": "work"}]"#)
            var statuses: [Int: Int] = [:]
            for number in 0..<1_500 {
                let answer: SCIMClient.Answer
                switch number % 6 {
                case 0: answer = try await client.list(Self.text(&random))
                case 1: answer = try await client.send(.post, "Users", Self.text(&random))
                case 2:
                    answer = try await client.send(
                        .post,
                        "Users",
                        SCIMClient.user(
                            "u\(number)",
                            #""emails": \#(Self.value(&random)), "name": \#(Self.value(&random))"#
                        )
                    )
                case 3:
                    answer = try await client.patch(
                        id,
                        #"{"op": "\#(["add", "replace", "remove"][random.below(3)])", "path": "\#(["emails", "name", "active", "emails[type eq \\\"work\\\"]", "emails.value"][random.below(5)])", "value": \#(Self.value(&random))}"#
                    )
                case 4:
                    answer = try await client.send(
                        random.below(2) == 0 ? .put : .patch,
                        "Users/\(id)",
                        Self.value(&random)
                    )
                default: answer = try await client.send(.post, ".search", Self.value(&random))
                }
                statuses[answer.status, default: 0] += 1
                #expect(answer.status < 500, "seed \(seed), request \(number)")
            }
            // Some of them have to be good ones, or nothing but the first check is tried.
            #expect([200, 201, 400].allSatisfy { statuses[$0, default: 0] > 20 }, "seed \(seed): \(statuses)")
            #expect(try await client.send(.get, "Users/\(id)").status == 200)
        }
    }
}
