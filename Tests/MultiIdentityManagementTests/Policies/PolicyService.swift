import MultiIdentity
import MultiIdentityManagement

/// A service of policies that a test controls, with trivially forgeable signatures.
final class PolicyService: PolicyTransport, Sendable {
    struct Failure: Error {}

    struct Request: Equatable {
        let tag: String?
        let wait: Duration
    }

    struct State: Sendable {
        var text = #"{"version": 1, "standard": {"log": true}}"#
        var tag: String? = "1"
        var issuedAt: Int64? = 1
        var signature: String?
        var fails = false
        var requests: [Request] = []
        /// Called before each answer, so that a test can delay it.
        var before: @Sendable (Request) async -> Void = { _ in }
        var answer: PolicyAnswer?
    }

    let state = Locked(State())

    var count: Int { state.withLock { $0.requests.count } }

    func fetch(after tag: String?, waiting wait: Duration) async throws -> PolicyAnswer {
        let request = Request(tag: tag, wait: wait)
        let now = state.withLock { state in
            state.requests.append(request)
            return state
        }
        await now.before(request)
        if now.fails { throw Failure() }
        if let answer = now.answer { return answer }
        if let known = now.tag, known == tag { return .unchanged }
        let text = Array(now.text.utf8)
        return .policies(
            text: text,
            tag: now.tag,
            signature: now.signature ?? Self.signature(of: text, issuedAt: now.issuedAt)
        )
    }

    /// Puts another set into the service.
    func put(_ text: String, tag: String, issuedAt: Int64?) {
        state.withLock { ($0.text, $0.tag, $0.issuedAt) = (text, tag, issuedAt) }
    }

    static func signature(of text: [UInt8], issuedAt: Int64? = 1, header: String? = nil) -> String {
        let time = issuedAt.map { ", \"iat\": \($0)" } ?? ""
        let header = Base64.urlText(of: Array((header ?? "{\"alg\": \"toy\", \"kid\": \"1\"\(time)}").utf8))
        let bytes = Array("\(header).\(Base64.urlText(of: text))".utf8)
        return "\(header)..\(Base64.urlText(of: toy(bytes)))"
    }

    /// FNV-1a.
    static func toy(_ bytes: [UInt8]) -> [UInt8] {
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return (0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
    }

    static let verify: RemotePolicies.Verify = { $0.algorithm == "toy" && $0.signature == toy($0.bytes) }
}
