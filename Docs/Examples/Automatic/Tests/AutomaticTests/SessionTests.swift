import Foundation
import MultiIdentity
import MultiIdentityNetworking
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension AutomaticMode {
    /// A session serves everybody from sources and timers that one of its callers set.
    @Suite("a session that many users share") struct SessionTests {
        private static let users = (0..<8).compactMap { try? Identity("user-\($0)@contoso.com") }

        @Test("runs no completion handler as another: plain, with nothing bound, and by its view, as its owner")
        func mixesNobody() async throws {
            let server = try await LoopbackServer()
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
            let session = URLSession(configuration: .ephemeral)
            var (plain, carried): ([Identity?], [Identity?]) = ([], [])
            for _ in 0..<6 {
                plain += await Self.handlers { handler in session.dataTask(with: url, completionHandler: handler) }
                carried += await Self.handlers { handler in
                    session.propagatingIdentity.dataTask(with: url, completionHandler: handler)
                }
            }
            session.invalidateAndCancel()
            try await server.close()
            #expect(plain == Array(repeating: nil, count: 48))
            #expect(carried == Array(repeating: Self.users, count: 6).flatMap(\.self))
        }

        private typealias Handler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

        /// The identities that the handlers of all users' requests ran as, user by user; the requests are under way together.
        private static func handlers(_ task: (@escaping Handler) -> URLSessionDataTask) async -> [Identity?] {
            let seen = Mutex<[Int: Identity?]>([:])
            let all = DispatchGroup()
            for (index, user) in users.enumerated() {
                all.enter()
                withIdentity(user) {
                    task { _, _, error in
                        if error == nil { seen.withLock { $0[index] = .some(Identity.current) } }
                        all.leave()
                    }
                    .resume()
                }
            }
            await withCheckedContinuation { continuation in all.notify(queue: .global()) { continuation.resume() } }
            return seen.withLock { seen in users.indices.compactMap { seen[$0] } }
        }
    }
}
