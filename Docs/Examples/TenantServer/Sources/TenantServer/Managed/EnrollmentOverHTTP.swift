import AsyncHTTPClient
import Foundation
import MultiIdentity
import MultiIdentityManagement
import NIOCore
import NIOHTTP1
import Synchronization

/// A service that enrolls accounts, asked over HTTP.
///
/// | request, below the service's URL | answer |
/// | --- | --- |
/// | `PUT accounts/{name}` | 200 with the policies; 403 where the account is not targeted |
/// | `GET accounts/{name}/policies` | 200 with the policies; 410 with a reason where it is not targeted any more |
/// | `GET accounts/{name}/configuration` | 200 with the configuration; 404 where there is none |
/// | `DELETE accounts/{name}` | 204 |
final class EnrollmentOverHTTP: EnrollmentService {
    private let url: String
    /// The policies that each account had when it was asked for last.
    private let known = Mutex<[Identity: String]>([:])

    init(url: URL) { self.url = url.absoluteString }

    func enroll(_ credential: AccountCredential) async throws -> EnrolledPolicy {
        let (status, text) = try await ask(.PUT, "", credential)
        if status == 403 { throw EnrollmentFailure(.notTargeted, "the service does not target this account") }
        try check(status, is: 200)
        known.withLock { $0[credential.identity] = text }
        return .text(text)
    }

    func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer {
        let (status, text) = try await ask(.GET, "/policies", credential)
        if status == 410 { return .removed(text) }
        try check(status, is: 200)
        let before = known.withLock { $0.updateValue(text, forKey: credential.identity) }
        return before == text ? .unchanged : .replaced(.text(text))
    }

    func configuration(_ credential: AccountCredential) async throws -> String? {
        let (status, text) = try await ask(.GET, "/configuration", credential)
        if status == 404 { return nil }
        try check(status, is: 200)
        return text
    }

    func unenroll(_ credential: AccountCredential) async throws {
        known.withLock { $0[credential.identity] = nil }
        try check(await ask(.DELETE, "", credential).status, is: 204)
    }

    private func check(_ status: UInt, is expected: UInt) throws(EnrollmentFailure) {
        if status != expected { throw EnrollmentFailure(.failed, "the service answered with \(status)") }
    }

    private func ask(
        _ method: HTTPMethod,
        _ path: String,
        _ credential: AccountCredential
    ) async throws -> (status: UInt, text: String) {
        let name = credential.identity.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        var request = HTTPClientRequest(url: "\(url)/accounts/\(name)\(path)")
        request.method = method
        // Where the service redirects elsewhere, the client takes this off.
        request.headers.replaceOrAdd(name: "Authorization", value: "Bearer \(credential.token)")
        do {
            let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
            let body = try await answer.body.collect(upTo: RemotePolicies.maximumSize)
            return (answer.status.code, String(buffer: body))
        } catch {
            throw EnrollmentFailure(.unreachable, "the service does not answer")
        }
    }
}
