import Crypto
import Foundation
import HTTPTypes
public import Hummingbird
public import Logging
import MultiIdentityManagement
import MultiIdentityPolicy
import NIOCore

/// A server of policies: stores sets, signs them, gives them to readers by long poll, and has a page to edit them.
///
/// | route | for | does |
/// | --- | --- | --- |
/// | `GET /policies` | readers | the set in force, signed; with `If-None-Match` and `Prefer: wait=N` when there is another |
/// | `PUT /policies` | editors | puts another in force, in the place of the one that `If-Match` names |
/// | `GET /state` | editors | the set in force, and which version each reader has |
/// | `GET /` | anyone | the page that asks for both with an editor's token |
public struct PolicyService: Sendable {
    /// The tokens of those who ask.
    public struct Tokens: Sendable {
        let readers: [String: String]
        let editor: String

        /// - Parameters:
        ///   - readers: The name of each reader, by its token.
        ///   - editor: The token of editors.
        public init(readers: [String: String], editor: String) {
            self.readers = readers
            self.editor = editor
        }
    }

    private let versions: PolicyVersions
    private let signer: PolicySigner
    private let tokens: Tokens

    /// - Parameters:
    ///   - path: The database's file.
    ///   - signer: Signs sets.
    ///   - tokens: The tokens of those who ask.
    /// - Throws: What the database throws.
    public init(path: String, signer: PolicySigner, tokens: Tokens) throws {
        versions = try PolicyVersions(path: path)
        self.signer = signer
        self.tokens = tokens
    }

    /// The server, to be run.
    public func application(
        host: String = "127.0.0.1",
        port: Int,
        logger: Logger
    ) -> some ApplicationProtocol {
        let router = Router()
        router.get("policies", use: give)
        router.put("policies", use: publish)
        router.get("state", use: state)
        router.get("/", use: page)
        return Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: "policy-server"),
            logger: logger
        )
    }

    private func give(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard let name = tokens.readers.first(where: { Self.isToken($0.key, of: request) })?.value else {
            throw HTTPError(.unauthorized)
        }
        let known = Self.number(in: request.headers[.ifNoneMatch])
        let preference = HTTPField.Name("Prefer").flatMap { request.headers[$0] }
        let wait = (preference ?? "").split(separator: ";").compactMap { part in
            part.hasPrefix("wait=") ? Int(part.dropFirst(5)) : nil
        }
        let version =
            if let known {
                try await versions.another(than: known, within: .seconds(min(max(wait.first ?? 0, 0), 60)))
            } else { try await versions.current() }
        try await versions.note(name, version.number)
        let fields: HTTPFields = [.eTag: "\"\(version.number)\"", .cacheControl: "no-store"]
        if version.number == known { return Response(status: .notModified, headers: fields) }
        var signed = fields
        signed[.contentType] = "application/json"
        if let field = HTTPField.Name(PolicySignature.fieldName) {
            signed[field] = try signer.signature(of: version.text, at: version.published)
        }
        return Response(status: .ok, headers: signed, body: .init(byteBuffer: ByteBuffer(bytes: version.text)))
    }

    private func publish(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard Self.isToken(tokens.editor, of: request) else { throw HTTPError(.unauthorized) }
        guard let known = Self.number(in: request.headers[.ifMatch]) else {
            throw HTTPError(.preconditionRequired, message: "Say with If-Match which version you have seen.")
        }
        let body = try await request.body.collect(upTo: RemotePolicies.maximumSize)
        let text = Data(body.readableBytesView)
        do {
            let (version, isPublished) = try await versions.publish(text, inPlaceOf: known)
            guard isPublished else {
                throw HTTPError(
                    .preconditionFailed,
                    message: "Version \(version.number) is in force: look at it first."
                )
            }
            context.logger.notice("policies were published", metadata: ["version": "\(version.number)"])
            return Response(status: .ok, headers: [.eTag: "\"\(version.number)\""])
        } catch let error as PolicyTextError {
            throw HTTPError(.badRequest, message: "Line \(error.line): \(error.message)")
        }
    }

    private func state(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard Self.isToken(tokens.editor, of: request) else { throw HTTPError(.unauthorized) }
        struct State: Encodable {
            let version: Int64
            let text: String
            let readers: [PolicyVersions.Reader]
        }
        let version = try await versions.current()
        let state = State(
            version: version.number,
            text: String(decoding: version.text, as: UTF8.self),
            readers: try await versions.readers()
        )
        return Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(state)))
        )
    }

    private func page(_ request: Request, _ context: BasicRequestContext) -> Response {
        let nonce = [UInt64.random(in: .min ... .max), .random(in: .min ... .max)].map { String($0, radix: 36) }
            .joined()
        let html = String(decoding: PackageResources.policies_html, as: UTF8.self).replacing("{{nonce}}", with: nonce)
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                .contentSecurityPolicy: """
                default-src 'none'; connect-src 'self'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; \
                base-uri 'none'; form-action 'none'; frame-ancestors 'none'
                """,
            ],
            body: .init(byteBuffer: ByteBuffer(string: html))
        )
    }

    /// In a time that does not tell where two tokens differ.
    private static func isToken(_ token: String, of request: Request) -> Bool {
        guard let given = request.headers[.authorization], given.hasPrefix("Bearer ") else { return false }
        let (one, other) = (SHA256.hash(data: Data(given.dropFirst(7).utf8)), SHA256.hash(data: Data(token.utf8)))
        return one == other
    }

    private static func number(in tag: String?) -> Int64? {
        tag.flatMap { Int64($0.trimmingCharacters(in: CharacterSet(charactersIn: "\""))) }
    }
}
