import Dispatch
import Foundation
import Logging
import MultiIdentity

/// A blocking library, which runs on a queue: an `IdentityQueue` is all it needs.
struct Reports: Sendable {
    private let queue = IdentityQueue(label: "reports", attributes: .concurrent)

    /// Renders the current user's report, away from the threads that serve requests.
    ///
    /// - Throws: `IdentityError` with `.revoked` if the user left before it began.
    func render() async throws -> String {
        try await queue.runUnlessRevoked { try Self.blockingRender() }
    }

    /// It has no argument for its user.
    private static func blockingRender() throws -> String {
        let owner = try Identity.required()
        Logger.current.info("report rendered", metadata: ["for": "\(owner.name)"])
        return "Report for \(owner.name)\n"
    }
}
