import Dispatch
import Foundation
import Logging
import MultiIdentity

/// A library that blocks, and so runs on a queue: the queue is an `IdentityQueue`, and that is all.
struct Reports: Sendable {
    private let queue = IdentityQueue(label: "reports", attributes: .concurrent)

    /// Renders the current user's report, away from the threads that serve requests.
    ///
    /// - Throws: `IdentityError` with `.revoked` where the user has left before it began.
    func render() async throws -> String {
        try await queue.runUnlessRevoked { try Self.blockingRender() }
    }

    /// No argument says who it is for.
    private static func blockingRender() throws -> String {
        let owner = try Identity.required()
        Logger.current.info("report rendered", metadata: ["for": "\(owner.name)"])
        return "Report for \(owner.name)\n"
    }
}
