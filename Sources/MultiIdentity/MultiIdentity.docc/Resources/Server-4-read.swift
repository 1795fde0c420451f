import Dispatch
import MultiIdentity

struct Request {
    let path: String
    let user: String?  // verified by whatever authenticates
}

struct IdentityMiddleware {
    /// Serves a request as its user.
    func respond(to request: Request, next: (Request) async throws -> String) async throws -> String {
        guard let user = request.user else { return "401" }
        return try await withIdentity(Identity(user)) { try await next(request) }
    }
}

let blocking = IdentityQueue(label: "blocking")

func notes(_ request: Request) async throws -> String {
    log("asked for \(request.path)")
    return try await withCheckedThrowingContinuation { done in
        blocking.async { done.resume(with: Result { try read(request.path) }) }
    }
}

func read(_ path: String) throws -> String {
    let owner = try Identity.required()  // throws where nobody is bound
    log("reading \(path)")
    return "200 \(path) of \(owner)"
}

func log(_ message: String) {
    print("\(message) identity=\(Identity.current?.name ?? "-")")
}

let middleware = IdentityMiddleware()
for user in ["ada@contoso.com", "grace@contoso.com", nil] {
    print(try await middleware.respond(to: Request(path: "/notes", user: user), next: notes))
}
// Prints:
// asked for /notes identity=ada@contoso.com
// reading /notes identity=ada@contoso.com
// 200 /notes of ada@contoso.com
// asked for /notes identity=grace@contoso.com
// reading /notes identity=grace@contoso.com
// 200 /notes of grace@contoso.com
// 401
