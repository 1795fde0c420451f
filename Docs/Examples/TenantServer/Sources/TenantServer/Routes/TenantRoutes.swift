import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MultiIdentity

/// The routes of tenants: each does something that real ones do, and answers with the user that each place saw.
struct TenantRoutes: Sendable {
    let workshop: Workshop

    func add(to tenants: RouterGroup<TenantContext>) {
        tenants.get("account", use: account)
        tenants.get("report", use: report)
        tenants.get("pipeline", use: pipeline)
        tenants.get("cache", use: cache)
        tenants.post("background", use: background)
        tenants.post("jobs", use: jobs)
        tenants.post("ledger", use: ledger)
        tenants.get("events", use: events)
        tenants.put("files/:name", use: receive)
        tenants.get("files/:name", use: send)
        tenants.get("explain", use: explain)
    }

    /// Async work, in a task group, with an actor that all requests share.
    private func account(_ request: Request, _ context: TenantContext) async throws -> Answer {
        let errand = context.errand
        return Answer(errand, await workshop.account.gather(errand))
    }

    /// A library that blocks, on a queue of its own.
    private func report(_ request: Request, _ context: TenantContext) async throws -> Answer {
        let (errand, library) = (context.errand, workshop.library)
        let inside = try await workshop.queue.run { try library.render(errand) }
        return Answer(errand, [inside, errand.sighting(at: "after the blocking call")])
    }

    /// Operations that wait for each other.
    private func pipeline(_ request: Request, _ context: TenantContext) async throws -> Answer {
        let errand = context.errand
        return Answer(errand, await workshop.pipeline.run(errand))
    }

    /// Returns what was made for this tenant before, or is made now.
    private func cache(_ request: Request, _ context: TenantContext) async throws -> Answer {
        let errand = context.errand
        return Answer(errand, try await workshop.cache.report(errand))
    }

    /// Work that goes on when this has been answered, in this process.
    private func background(_ request: Request, _ context: TenantContext) async throws -> EditedResponse<Answer> {
        let (errand, records) = (context.errand, workshop.records)
        try workshop.background.enqueue {
            do {
                try records.append(errand.sighting(at: "background work"), of: errand.marker, by: errand.caller)
            } catch {
                errand.logger.error("a record was not written", metadata: ["error": "\(error)"])
            }
        }
        return EditedResponse(status: .accepted, response: Answer(errand, [errand.sighting(at: "enqueued")]))
    }

    /// Work that is done for certain, also when this process is killed meanwhile.
    private func jobs(_ request: Request, _ context: TenantContext) async throws -> EditedResponse<Answer> {
        let errand = context.errand
        let enqueued = try await workshop.jobs.enqueue(errand)
        return EditedResponse(status: .accepted, response: Answer(errand, [enqueued]))
    }

    /// Calls another process, which names the user that it saw there.
    private func ledger(_ request: Request, _ context: TenantContext) async throws -> Answer {
        let errand = context.errand
        return Answer(errand, try await workshop.ledger.record(errand))
    }

    /// Server-sent events; what writes them runs when the middleware has returned.
    private func events(_ request: Request, _ context: TenantContext) async throws -> Response {
        let (errand, feed) = (context.errand, workshop.feed)
        let count = request.uri.queryParameters.get("count", as: Int.self) ?? 3
        guard (1...100).contains(count) else {
            throw Refusal(.badRequest, code: "bad_count", "count is a number from 1 to 100.")
        }
        return .events { writer in
            for await sighting in feed.events(count, for: errand) {
                try await writer.write(.event(Answer(errand, [sighting])))
            }
            try await writer.write(.event(Answer(errand, [errand.sighting(at: "writer of events")])))
        }
    }

    /// An upload, written while it comes in.
    private func receive(_ request: Request, _ context: TenantContext) async throws -> EditedResponse<Answer> {
        let errand = context.errand
        let name = try FileName(context.parameters.require("name"))
        let seen = try await workshop.files.receive(name, request.body, for: errand)
        return EditedResponse(status: .created, response: Answer(errand, seen))
    }

    /// A file, read while it goes out.
    private func send(_ request: Request, _ context: TenantContext) async throws -> Response {
        let name = try FileName(context.parameters.require("name"))
        let body = try await workshop.files.send(name, for: context.errand)
        return Response(status: .ok, headers: [.contentType: "application/octet-stream"], body: body)
    }

    /// Explains the effective identity of work that this request hands to a queue.
    private func explain(_ request: Request, _ context: TenantContext) async throws -> String {
        try await workshop.queue.run { EffectiveIdentity.current(for: .files).explanation.description + "\n" }
    }
}
