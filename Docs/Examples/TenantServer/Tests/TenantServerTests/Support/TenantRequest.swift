import HTTPTypes
import NIOCore
import Testing

/// A request of the kinds that tenants send.
struct TenantRequest: Sendable, CustomTestStringConvertible {
    let method: HTTPRequest.Method
    let path: String
    var body: String?
    /// The places that name the user that they see.
    let places: [String]

    var testDescription: String { "\(method) \(path)" }

    static let all = [
        TenantRequest(method: .get, path: "/account", places: ["profile", "invoices", "messages", "audit trail"]),
        TenantRequest(method: .get, path: "/report", places: ["blocking call", "after the blocking call"]),
        TenantRequest(
            method: .get,
            path: "/pipeline",
            places: ["first operation", "second operation", "last operation"]
        ),
        TenantRequest(method: .get, path: "/cache", places: ["cache entry", "cache reader"]),
        TenantRequest(method: .post, path: "/background", places: ["enqueued"]),
        TenantRequest(method: .post, path: "/jobs", places: ["job enqueued"]),
        TenantRequest(method: .post, path: "/ledger", places: ["ledger"]),
        TenantRequest(method: .get, path: "/events?count=2", places: ["event 1", "event 2", "writer of events"]),
        TenantRequest(
            method: .put,
            path: "/files/letter.txt",
            body: String(repeating: "Dear all,\n", count: 10_000),
            places: ["upload opened", "upload finished"]
        ),
    ]
}
