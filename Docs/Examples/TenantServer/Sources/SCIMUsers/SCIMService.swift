import Crypto
import Foundation
import HTTPTypes
public import Hummingbird
import Logging
import MultiIdentity
import NIOCore

/// A service of SCIM 2.0 (RFC 7643 and 7644) that a directory sends its users to, and changes and removes them at.
///
/// | route, below the path | does |
/// | --- | --- |
/// | `POST Users`, `GET`, `PUT`, `PATCH`, `DELETE Users/{id}` | creates, reads, replaces, changes, deletes |
/// | `GET Users`, `POST Users/.search`, `POST .search` | lists by filter and page |
/// | `GET ServiceProviderConfig`, `ResourceTypes`, `Schemas` | says what it can |
///
/// A change is in the database before the program acts on it, and the program has acted on it before it is answered.
public struct SCIMService: Sendable {
    private let directory: UserDirectory
    private let path: String
    private let tokenHash: SHA256Digest
    private let changes: OwedChanges

    /// A service.
    ///
    /// - Parameters:
    ///   - directory: The users.
    ///   - path: The path that its routes are below, as `/scim/v2`.
    ///   - token: The token of the directory that sends users; only its hash is kept.
    ///   - onChange: Acts on a change of who exists; called again where it throws or the process ends before it has returned.
    public init(
        directory: UserDirectory,
        path: String,
        token: String,
        onChange: @escaping @Sendable (DirectoryChange) async throws -> Void
    ) {
        self.directory = directory
        self.path = path
        tokenHash = SHA256.hash(data: Data(token.utf8))
        changes = OwedChanges(directory, onChange)
    }

    /// Has the program act on what is owed since it ended or failed: to be called before the first request, and now and then.
    ///
    /// - Returns: Whether nothing is owed any more.
    /// - Throws: What the database throws.
    @discardableResult
    public func deliver() async throws -> Bool { try await changes.deliver().isEmpty }

    /// Adds the routes.
    ///
    /// - Parameter router: The routes of the program, at their root.
    public func add(to router: some RouterMethods<some RequestContext>) {
        for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
            router.on(RouterPath("\(path)/**"), method: method) { request, context in
                let names = context.parameters.getCatchAll().map { $0.removingPercentEncoding ?? "" }
                return await respond(to: request, names, context.logger)
            }
        }
    }

    private func respond(to request: Request, _ names: [String], _ logger: Logger) async -> Response {
        do {
            guard isAuthentic(request) else {
                throw SCIMError(.unauthorized, nil, "The bearer token is missing, or another one.")
            }
            return try await answer(request, names)
        } catch let error as SCIMError {
            logger.notice("a directory's request was refused", metadata: ["reason": "\(error)"])
            return Self.response(error)
        } catch {
            // What went wrong inside is for the log alone, and can be of a user.
            logger.error("a directory's request failed", metadata: ["kind": "\(type(of: error))"])
            return Self.response(SCIMError(.internalServerError, nil, "The server failed to do this. Send it again."))
        }
    }

    private func answer(_ request: Request, _ names: [String]) async throws -> Response {
        switch (request.method, names.first ?? "", names.dropFirst().first) {
        case (.get, "ServiceProviderConfig", nil): return Self.response(.ok, Discovery.configuration)
        case (.get, "ResourceTypes", let id) where names.count <= 2:
            return Self.response(.ok, try Discovery.answer(Discovery.resourceTypes, id))
        case (.get, "Schemas", let id) where names.count <= 2:
            return Self.response(.ok, try Discovery.answer(Discovery.schemas, id))
        case (.get, "Users", nil): return try await list(UserQuery(request.uri.query))
        case (.post, "Users", ".search") where names.count == 2, (.post, ".search", nil):
            return try await list(UserQuery(search: body(of: request)))
        case (.post, "Users", nil): return try await create(request)
        case (.get, "Users", let id?) where names.count == 2:
            guard let user = try await directory.user(id) else { throw SCIMError.notFound }
            return response(.ok, user, request)
        case (.put, "Users", let id?) where names.count == 2:
            let body = try await body(of: request)
            return try await change(id, request) { before throws(SCIMError) in
                try UserAttributes(body, orActive: before.isActive)
            }
        case (.patch, "Users", let id?) where names.count == 2:
            let patch = try await UserPatch(body(of: request))
            return try await change(id, request) { before throws(SCIMError) in try patch.applied(to: before) }
        case (.delete, "Users", let id?) where names.count == 2:
            return try await change(id, request) { _ in nil }
        case (_, "ServiceProviderConfig", nil), (_, "ResourceTypes", _), (_, "Schemas", _), (_, "Users", _):
            throw SCIMError(.methodNotAllowed, nil, "This is not done at this path.")
        default: throw SCIMError.notFound
        }
    }

    private func list(_ query: UserQuery) async throws -> Response {
        let (users, total) = try await directory.users(query.filter, from: query.start, count: query.count)
        let resources = users.map { resource($0, query.projection) }
        return Self.response(.ok, Discovery.list(resources, total: total, from: query.start + 1))
    }

    private func create(_ request: Request) async throws -> Response {
        let user = try await directory.add(UserAttributes(body(of: request), orActive: true))
        try await actOn([user.attributes.identity])
        return response(.created, user, request)
    }

    private func change(
        _ id: String,
        _ request: Request,
        _ change: @escaping @Sendable (UserAttributes) throws(SCIMError) -> UserAttributes?
    ) async throws -> Response {
        let (before, after) = try await directory.change(id, ifVersion: request.headers[.ifMatch], change)
        try await actOn([before.attributes.identity, after?.attributes.identity].compactMap(\.self))
        guard let after else { return Response(status: .noContent) }
        return response(.ok, after, request)
    }

    /// Has the program act on what is owed; what fails of this request fails it.
    private func actOn(_ identities: [Identity]) async throws {
        let failed = try await changes.deliver()
        guard failed.isDisjoint(with: identities) else {
            throw SCIMError(.internalServerError, nil, "The change is kept, and is acted on later: that failed now.")
        }
    }

    private func isAuthentic(_ request: Request) -> Bool {
        guard let given = request.headers[.authorization], given.lowercased().hasPrefix("bearer ") else { return false }
        // Hashes, which are compared in a time that does not tell where they differ.
        return SHA256.hash(data: Data(given.dropFirst(7).utf8)) == tokenHash
    }

    private func body(of request: Request) async throws -> AttributeValue {
        var bytes = ByteBuffer()
        for try await part in request.body {
            guard bytes.readableBytes + part.readableBytes <= 262_144 else {
                throw SCIMError(.contentTooLarge, nil, "The body has more than 256 KiB.")
            }
            bytes.writeImmutableBuffer(part)
        }
        return try AttributeValue.read(Data(bytes.readableBytesView))
    }

    private func resource(_ user: UserDirectory.User, _ projection: Projection) -> AttributeValue {
        var values = projection.applied(to: user.attributes.values)
        values["id"] = .text(user.id)
        values["schemas"] = [.text(UserSchema.uri)]
        values["meta"] = [
            "resourceType": "User", "created": .text(user.created.formatted(.iso8601)),
            "lastModified": .text(user.changed.formatted(.iso8601)), "version": .text(user.tag),
            "location": .text(location(of: user)),
        ]
        return .object(values)
    }

    private func location(of user: UserDirectory.User) -> String { "\(path)/Users/\(user.id)" }

    private func response(_ status: HTTPResponse.Status, _ user: UserDirectory.User, _ request: Request) -> Response {
        let projection = (try? UserQuery(request.uri.query).projection) ?? Projection(only: [], without: [])
        var response = Self.response(status, resource(user, projection))
        response.headers[.eTag] = user.tag
        if status == .created { response.headers[.location] = location(of: user) }
        return response
    }

    private static func response(_ error: SCIMError) -> Response {
        var body: [String: AttributeValue] = [
            "schemas": [.text(Discovery.errorURI)], "status": .text("\(error.status.code)"),
            "detail": .text(error.message),
        ]
        if let kind = error.kind { body["scimType"] = .text(kind.rawValue) }
        var response = response(error.status, .object(body))
        if error.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }

    private static func response(_ status: HTTPResponse.Status, _ body: AttributeValue) -> Response {
        let bytes = (try? JSONEncoder().encode(body)) ?? Data()
        return Response(
            status: status,
            headers: [
                .contentType: "application/scim+json", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
