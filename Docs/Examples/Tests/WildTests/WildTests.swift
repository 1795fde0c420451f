import Hummingbird
import HummingbirdTesting
import MultiIdentityTesting
import Testing

@Suite("A way in which a package that is not ours calls a closure") struct WildTests {
    private func report(on way: Way, isWrapped: Bool) async throws -> BoundaryReport {
        let router = Router()
        router.post("/") { request, _ in try await request.body.collect(upTo: 1_000) }
        return try await Application(router: router).test(.live) { server in
            let port = try #require(server.port)
            return try await BoundaryPromise.report(on: { way.boundary(isWrapped: isWrapped, port: port) })
        }
    }

    @Test("breaks promises as it is", arguments: Way.allCases)
    func asItIs(_ way: Way) async throws {
        let kinds = try await report(on: way, isWrapped: false).violations.map(\.kind)
        let worst = [BoundaryViolation.Kind.mixed, .lost].first(where: kinds.contains)
        #expect(worst == way.broken.worst, "\(way) seems to be fixed: Docs/Wild.md says otherwise")
        #expect(kinds.count == way.broken.count, "Docs/Wild.md has another number of broken promises for \(way)")
    }

    @Test("keeps each of them when its caller wraps", arguments: Way.allCases)
    func wrapped(_ way: Way) async throws {
        #expect(try await report(on: way, isWrapped: true).violations == [])
    }
}
