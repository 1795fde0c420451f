import AsyncHTTPClient
import AsyncHTTPTransport
import Foundation
import Hummingbird
import HummingbirdTesting
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import Synchronization
import Testing
import URLSessionTransport

extension Trait where Self == Comment {
    /// Marks a test with the rules of Docs/Semantics.md that it verifies.
    fileprivate static func rule(_ number: String) -> Self { Comment(rawValue: "rule \(number) of Docs/Semantics.md") }
}

@Suite("A service over HTTP", .timeLimit(.minutes(1)), .rule("19.6")) struct TransportTests {
    enum Way: CaseIterable, Sendable {
        case urlSession, asyncHTTPClient

        private static let client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: HTTPClient.Configuration(redirectConfiguration: .disallow)
        )

        func transport(
            to path: String,
            port: Int?,
            fields: [String: String] = [:]
        ) throws -> any ServiceTransport {
            let url = "http://127.0.0.1:\(port ?? 0)\(path)"
            return switch self {
            case .urlSession: URLSessionTransport(try #require(URL(string: url))) { fields }
            case .asyncHTTPClient: AsyncHTTPTransport(url, client: Self.client) { fields }
            }
        }
    }

    private static let text = #"{"version": 1, "identities": {"ada@contoso.com": {"log": true}}}"#

    /// The heads and bodies of the requests that the service received.
    private final class Asked: Sendable {
        let requests = Mutex<[(request: Request, body: String)]>([])

        var count: Int { requests.withLock { $0.count } }
    }

    /// Runs `body` with a service that gives one answer to each request, and returns the received requests.
    private func serving(
        _ answer: @escaping @Sendable (Request) async throws -> Response,
        _ body: @escaping @Sendable (_ port: Int?) async throws -> Void
    ) async throws -> Asked {
        let (asked, router) = (Asked(), Router())
        for method in [HTTPRequest.Method.get, .post] {
            router.on("**", method: method) { request, _ in
                let body = try await request.body.collect(upTo: 65_536)
                asked.requests.withLock { $0.append((request, String(buffer: body))) }
                return try await answer(request)
            }
        }
        try await Application(router: router).test(.live) { client in try await body(client.port) }
        return asked
    }

    private static func response(_ status: HTTPResponse.Status, _ text: String, _ fields: HTTPFields = [:]) -> Response
    {
        Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    @Test("gives policies with their tag and signature, or says that they are unchanged", arguments: Way.allCases)
    func givesPolicies(_ way: Way) async throws {
        let asked = try await serving { request in
            if request.headers[.ifNoneMatch] == #""7""# { return Response(status: .notModified) }
            var fields: HTTPFields = [.eTag: #""7""#]
            fields[.init(PolicySignature.fieldName) ?? .accept] = "a..b"
            return Self.response(.ok, Self.text, fields)
        } _: { port in
            let transport = try way.transport(to: "/policies", port: port, fields: ["Authorization": "Bearer t"])
            let first = try await transport.fetch(after: nil, waiting: .zero)
            #expect(first == .policies(text: Array(Self.text.utf8), tag: #""7""#, signature: "a..b"))
            #expect(try await transport.fetch(after: #""7""#, waiting: .seconds(20)) == .unchanged)
        }
        let requests: [Request] = asked.requests.withLock { $0.map { $0.request } }
        #expect(requests.allSatisfy { $0.uri.path == "/policies" && $0.headers[.authorization] == "Bearer t" })
        #expect(requests.map { $0.headers[.init("Prefer") ?? .accept] } == [nil, "wait=20"])
        #expect(requests.map { $0.headers[.ifNoneMatch] } == [nil, #""7""#])
    }

    @Test("times out if its answer drips", arguments: Way.allCases)
    func isGivenUpWhereItDrips(_ way: Way) async throws {
        _ = try await serving { _ in
            // Until the client has disconnected.
            let drops = ResponseBody { writer in
                while true {
                    try await writer.write(ByteBuffer(string: " "))
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            return Response(status: .ok, body: drops)
        } _: { port in
            let transport = try way.transport(to: "/policies", port: port)
            func policies() async throws -> RemotePolicies {
                var options = RemotePoliciesOptions()
                options.answerLimit = .milliseconds(100)
                let store = SQLiteAccountStore()
                return try await RemotePolicies(transport, verifying: { _ in true }, store: store, options: options)
            }
            let error = await #expect(throws: ManagementError.self) { try await policies() }
            #expect(error?.code == .unreachable)
        }
    }

    @Test("evaluates the request, and its answer decides", arguments: Way.allCases, [true, false])
    func decides(_ way: Way, _ isAllowed: Bool) async throws {
        let asked = try await serving { _ in
            Self.response(.ok, #"{"decision": \#(isAllowed)}"#)
        } _: { port in
            let accounts = Accounts(mode: .multi, policies: PolicyFeed(), levels: IdentityLevels())
            let point = PolicyDecisionPoint(try way.transport(to: "/access/v1/evaluation", port: port).evaluate)
            let decision = await point.decide(.log, for: try Identity("ada@contoso.com"), in: accounts)
            #expect(decision.isAllowed == isAllowed && decision.rule.description == "decisionPoint")
        }
        #expect(asked.requests.withLock { $0.map { $0.body.contains("ada@contoso.com") } } == [true])
    }

    @Test(
        "refuses if it answers with another status or a redirect, or is unreachable",
        arguments: Way.allCases,
        [302, 401, 500]
    )
    func isNotBelieved(_ way: Way, _ status: Int) async throws {
        let asked = try await serving { request in
            let isElsewhere = request.uri.path == "/elsewhere"
            return Self.response(
                isElsewhere ? .ok : .init(code: status),
                #"{"decision": true}"#,
                [.location: "/elsewhere"]
            )
        } _: { port in
            let transport = try way.transport(to: "/policies", port: port)
            await #expect(throws: (any Error).self) { try await transport.fetch(after: nil, waiting: .zero) }
            let accounts = Accounts(mode: .multi, policies: PolicyFeed(), levels: IdentityLevels())
            let point = PolicyDecisionPoint(try way.transport(to: "/access/v1/evaluation", port: port).evaluate)
            #expect(await !point.decide(.log, for: nil, in: accounts).isAllowed)
            let gone = PolicyDecisionPoint(try way.transport(to: "/", port: 1).evaluate)
            #expect(await !gone.decide(.log, for: nil, in: accounts).isAllowed, "nothing listens there")
        }
        #expect(asked.count == 2, "nothing went elsewhere")
    }

    @Test(
        "fails if its answer is too long, or the waiting task is cancelled",
        arguments: Way.allCases
    )
    func isGivenUp(_ way: Way) async throws {
        let (hung, hang) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        _ = try await serving { request in
            if request.uri.path == "/long" { return Self.response(.ok, String(repeating: " ", count: (1 << 20) + 1)) }
            hang.yield()
            for await _ in released {}
            return Response(status: .ok)
        } _: { port in
            let long = try way.transport(to: "/long", port: port)
            await #expect(throws: (any Error).self) { _ = try await long.evaluate([]) }
            let hanging = try way.transport(to: "/hang", port: port)
            let waiting = Task { try await hanging.evaluate([1]) }
            for await _ in hung { break }
            waiting.cancel()
            await #expect(throws: (any Error).self) { _ = try await waiting.value }
            release.finish()
        }
    }
}

/// A way to a service of policies and to a policy decision point.
protocol ServiceTransport: PolicyTransport {
    func evaluate(_ request: [UInt8]) async throws -> [UInt8]
}

extension URLSessionTransport: ServiceTransport {}
extension AsyncHTTPTransport: ServiceTransport {}
