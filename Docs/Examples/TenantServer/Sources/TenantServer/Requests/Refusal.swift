import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// A request that is answered with an error: a status, a code for programs, and a sentence for people.
struct Refusal: HTTPResponseError {
    let status: HTTPResponse.Status
    let code: String
    let message: String
    var headers: HTTPFields

    init(_ status: HTTPResponse.Status, code: String, _ message: String, headers: HTTPFields = [:]) {
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers
    }

    /// A token that is not good: a 401, with the challenge that RFC 6750 asks for.
    static func token(
        _ code: String,
        _ message: String,
        challenge: String = #"Bearer error="invalid_token""#
    ) -> Refusal {
        Refusal(.unauthorized, code: code, message, headers: [.wwwAuthenticate: challenge])
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        let body = try JSONEncoder().encode(["error": ["code": code, "message": message]])
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

/// Answers every error with a body: what a route threw, and what no route was found for.
struct RefusalMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: TenantContext,
        next: @concurrent (Request, TenantContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as Refusal {
            context.logger.notice("refused", metadata: ["code": "\(refusal.code)", "status": "\(refusal.status.code)"])
            return try refusal.response(from: request, context: context)
        } catch let error as any HTTPResponseError {
            let message = error.status == .notFound ? "There is nothing at this path." : error.status.reasonPhrase
            let refusal = Refusal(error.status, code: "http_\(error.status.code)", message)
            return try refusal.response(from: request, context: context)
        } catch {
            // What went wrong inside is for the log alone.
            context.logger.error("a request failed", metadata: ["error": "\(String(reflecting: error))"])
            let refusal = Refusal(.internalServerError, code: "internal", "The server failed to do this.")
            return try refusal.response(from: request, context: context)
        }
    }
}
