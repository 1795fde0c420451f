import Foundation
import Hummingbird
import Logging
import MultiIdentity

/// The five routes.
///
/// None passes a user on: the functions that they call read the current identity.
struct Routes: Sendable {
    let reports: Reports
    let files: TenantFiles
    let jobs: JobQueue
    let events: EventStreams
    let departure: Departure

    /// Adds the routes that do a user's work.
    func add(to users: RouterGroup<TenantContext>) {
        users.get("report") { _, _ in try await reports.render() }
        users.put("files/:name", use: store)
        users.get("files/:name", use: read)
        users.post("jobs", use: enqueue)
        users.get("events", use: stream)
    }

    /// Adds the route that removes the account.
    ///
    /// The user is not bound there: a wipe is not the user's work.
    func addDeparture(to authenticated: RouterGroup<TenantContext>) {
        authenticated.delete("account") { _, context in
            guard let user = context.user, try await departure.remove(user) else {
                throw HTTPError(.serviceUnavailable, message: "Some data are left. Send the request again.")
            }
            return HTTPResponse.Status.noContent
        }
    }

    private func store(_ request: Request, _ context: TenantContext) async throws -> HTTPResponse.Status {
        let body = try await request.body.collect(upTo: 1 << 20)
        try await files.store(Array(body.readableBytesView), as: context.parameters.require("name"))
        return .created
    }

    private func read(_ request: Request, _ context: TenantContext) async throws -> ByteBuffer {
        guard let bytes = try await files.read(context.parameters.require("name")) else {
            throw HTTPError(.notFound, message: "You have no file with this name.")
        }
        return ByteBuffer(bytes: bytes)
    }

    private func enqueue(_ request: Request, _ context: TenantContext) async throws -> EditedResponse<String> {
        let text = String(buffer: try await request.body.collect(upTo: 1 << 12))
        return EditedResponse(status: .accepted, response: "\(try jobs.enqueue(text))\n")
    }

    /// Server-sent events (HTML standard, 9.2), until the client disconnects or the user leaves.
    private func stream(_ request: Request, _ context: TenantContext) async throws -> Response {
        let events = try events.subscribe()
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                // A comment, so that the client knows immediately that it is subscribed.
                try await writer.write(ByteBuffer(string: ":\n\n"))
                for await event in events {
                    context.logger.info("event sent", metadata: ["for": "\(event.owner)"])
                    var line = ByteBuffer(string: "data: ")
                    line.writeBytes(try JSONEncoder().encode(event))
                    line.writeString("\n\n")
                    try await writer.write(line)
                }
                try await writer.finish(nil)
            }
        )
    }
}
