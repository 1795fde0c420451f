import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import SCIMUsers

/// A directory that sends users.
struct SCIMClient: Sendable {
    /// An answer, whose body is of JSON or there is none.
    struct Answer {
        let status: Int
        let headers: HTTPFields
        let body: AttributeValue

        subscript(_ name: String) -> AttributeValue? { body.object?[name] }
        /// The kind of an error.
        var kind: String? { self["scimType"]?.text }
        /// The names of the users in a list.
        var names: [String] {
            guard case .list(let users) = self["Resources"] else { return [] }
            return users.compactMap { $0.object?["userName"]?.text }
        }
    }

    let client: any TestClientProtocol

    @discardableResult
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        token: String? = TestedDirectory.token,
        fields: HTTPFields = [:]
    ) async throws -> Answer {
        var fields = fields
        if let token { fields[.authorization] = "Bearer \(token)" }
        let answer = try await client.executeRequest(
            uri: "/scim/v2/\(path)",
            method: method,
            headers: fields,
            body: body.map { ByteBuffer(string: $0) }
        )
        let text = Data(answer.body.readableBytesView)
        let value = text.isEmpty ? .null : try JSONDecoder().decode(AttributeValue.self, from: text)
        if answer.status.code >= 400 {
            #expect(value.object?["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"])
            #expect(value.object?["status"] == .text("\(answer.status.code)"))
        }
        return Answer(status: answer.status.code, headers: answer.headers, body: value)
    }

    /// Creates a user, and returns its id.
    func create(_ name: String, _ more: String = "") async throws -> String {
        let answer = try await send(.post, "Users", Self.user(name, more))
        #expect(answer.status == 201)
        return try #require(answer["id"]?.text)
    }

    func patch(_ id: String, _ operations: String) async throws -> Answer {
        try await send(
            .patch,
            "Users/\(id)",
            #"{"schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"], "Operations": [\#(operations)]}"#
        )
    }

    func list(_ filter: String, _ more: String = "") async throws -> Answer {
        let letters = CharacterSet.alphanumerics
        let encoded = try #require(filter.addingPercentEncoding(withAllowedCharacters: letters))
        return try await send(.get, "Users?filter=\(encoded)\(more)")
    }

    static func user(_ name: String, _ more: String = "") -> String {
        #"{"schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "\#(name)"\#(more.isEmpty ? "" : ", " + more)}"#
    }
}
