import Hummingbird
import HummingbirdTesting
import MultiIdentityTesting
import Testing

@Suite("A way in which a package that is not ours calls a closure") struct WildTests {
    private func violations(on way: Way, isWrapped: Bool) async throws -> [BoundaryViolation] {
        let router = Router()
        router.post("/") { request, _ in try await request.body.collect(upTo: 1_000) }
        return try await Application(router: router).test(.live) { server in
            let port = try #require(server.port)
            var violations: [BoundaryViolation] = []
            for promise in BoundaryPromise.allCases {
                do { _ = try await promise.check(on: way.boundary(isWrapped: isWrapped, port: port)) } catch {
                    violations.append(try #require(error as? BoundaryViolation))
                }
            }
            return violations
        }
    }

    @Test("breaks promises as it is", arguments: Way.allCases)
    func asItIs(_ way: Way) async throws {
        let kinds = try await violations(on: way, isWrapped: false).map(\.kind)
        let worst = [BoundaryViolation.Kind.mixed, .lost].first(where: kinds.contains)
        #expect(worst == way.broken.worst, "\(way) seems to be fixed: Docs/Wild.md says otherwise")
        #expect(kinds.count == way.broken.count, "Docs/Wild.md has another number of broken promises for \(way)")
    }

    @Test("keeps each of them when its caller wraps", arguments: Way.allCases)
    func wrapped(_ way: Way) async throws {
        #expect(try await violations(on: way, isWrapped: true) == [])
    }
}
