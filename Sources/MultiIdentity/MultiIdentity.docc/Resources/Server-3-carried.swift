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

func notes(_ request: Request) async -> String {
    print("\(request.path) as \(Identity.current?.name ?? "no one")")
    return await withCheckedContinuation { done in
        blocking.async { done.resume(returning: read(request.path)) }
    }
}

func read(_ path: String) -> String {
    "200 \(path) of \(Identity.current?.name ?? "no one")"
}

let middleware = IdentityMiddleware()
for user in ["ada@contoso.com", "grace@contoso.com", nil] {
    print(try await middleware.respond(to: Request(path: "/notes", user: user), next: notes))
}
// Prints:
// /notes as ada@contoso.com
// 200 /notes of ada@contoso.com
// /notes as grace@contoso.com
// 200 /notes of grace@contoso.com
// 401
