#if OpenBao
import AsyncHTTPClient
import Foundation
import MultiIdentityProtection
import NIOCore
import NIOHTTP1

/// The requests of OpenBao's transit engine, each of which blocks its thread.
struct TransitEngine: Sendable {
    /// One per process: unlike `HTTPClient.shared`, it follows no redirects, which would pass the token on.
    static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(redirectConfiguration: .disallow)
    )

    /// The largest number of versions of a key that are read.
    private static let versionLimit = 1_000
    /// The input texts: their codes by a key are a secret and the secret's id.
    private static let inputs = ["multi-identity: secret of a key", "multi-identity: id of a key"]

    let settings: OpenBaoKeys.Settings
    let client: HTTPClient

    /// The versions of a key, the oldest first; `nil` if there is none.
    func versions(of name: String) throws(ProtectionError) -> [Int]? {
        struct Answer: Decodable {
            struct Key: Decodable {
                let latest_version: Int
                let min_available_version: Int?
                let min_decryption_version: Int?
            }

            let data: Key
        }
        guard let answer = try send(.GET, "keys/\(name)", nil, as: Answer.self)?.data else { return nil }
        let first = max(1, answer.min_available_version ?? 1, answer.min_decryption_version ?? 1)
        guard first <= answer.latest_version, answer.latest_version - first < Self.versionLimit else {
            throw OpenBaoKeys.unavailable("has no version of a key, or more than \(Self.versionLimit)")
        }
        return Array(first...answer.latest_version)
    }

    /// Makes a key, or keeps the existing one.
    func make(_ name: String) throws(ProtectionError) {
        _ = try send(
            .POST,
            "keys/\(name)",
            Body(type: "aes256-gcm96", exportable: false),
            as: Nothing.self
        )
    }

    func rotate(_ name: String) throws(ProtectionError) {
        _ = try send(.POST, "keys/\(name)/rotate", Body(), as: Nothing.self)
    }

    /// Destroys a key, which requires permission first, so that it cannot happen by accident.
    func destroy(_ name: String) throws(ProtectionError) {
        guard try versions(of: name) != nil else { return }
        _ = try send(.POST, "keys/\(name)/config", Body(deletion_allowed: true), as: Nothing.self)
        _ = try send(.DELETE, "keys/\(name)", nil, as: Nothing.self)
    }

    /// The codes of both texts by one version of a key; `nil` if there is none.
    func codes(of name: String, version: Int) throws(ProtectionError) -> (secret: [UInt8], id: [UInt8])? {
        struct Answer: Decodable {
            struct Codes: Decodable {
                struct Code: Decodable { let hmac: String? }

                let batch_results: [Code]
            }

            let data: Codes
        }
        let inputs = Self.inputs.map { ["input": Data($0.utf8).base64EncodedString()] }
        let body = Body(key_version: version, batch_input: inputs)
        guard let answer = try send(.POST, "hmac/\(name)/sha2-256", body, as: Answer.self) else { return nil }
        let prefix = "vault:v\(version):"
        let codes = answer.data.batch_results.compactMap { code -> [UInt8]? in
            guard let text = code.hmac, text.hasPrefix(prefix),
                let bytes = Data(base64Encoded: String(text.dropFirst(prefix.count)))
            else { return nil }
            return bytes.count == 32 ? Array(bytes) : nil
        }
        guard codes.count == 2 else { throw OpenBaoKeys.unavailable("returned no codes for a key") }
        return (codes[0], codes[1])
    }

    private struct Nothing: Decodable {}

    private struct Failure: Decodable {
        let errors: [String]

        static func isEmpty(_ bytes: Data) -> Bool {
            (try? JSONDecoder().decode(Failure.self, from: bytes))?.errors.isEmpty ?? false
        }
    }

    /// The body of a request, without empty fields.
    private struct Body: Encodable {
        var type: String?
        var exportable: Bool?
        var deletion_allowed: Bool?
        var key_version: Int?
        var batch_input: [[String: String]]?
    }

    /// Sends a request and waits; `nil` if there is no such key, or the answer is empty.
    private func send<Answer: Decodable>(
        _ method: HTTPMethod,
        _ path: String,
        _ body: Body?,
        as type: Answer.Type
    ) throws(ProtectionError) -> Answer? {
        let (status, bytes) = try exchange(method, path, body)
        switch status {
        case 200:
            guard let answer = try? JSONDecoder().decode(Answer.self, from: bytes) else {
                throw OpenBaoKeys.unavailable("sent an unreadable answer")
            }
            return answer
        case 204: return nil
        // For a path without a mounted engine the answer has a message, which says nothing about the key.
        case 404 where Failure.isEmpty(bytes): return nil
        // The answer to a request for a code by a key that was destroyed meanwhile.
        case 400 where String(decoding: bytes, as: UTF8.self).contains("key not found"): return nil
        case 403: throw OpenBaoKeys.unavailable("does not permit this (403)")
        default: throw OpenBaoKeys.unavailable("answered with \(status)")
        }
    }

    /// The status and the body of an answer; errors contain neither, nor what was sent.
    private func exchange(
        _ method: HTTPMethod,
        _ path: String,
        _ body: Body?
    ) throws(ProtectionError) -> (UInt, Data) {
        do {
            let address = settings.address.hasSuffix("/") ? String(settings.address.dropLast()) : settings.address
            var request = try HTTPClient.Request(url: "\(address)/v1/\(settings.mount)/\(path)", method: method)
            request.headers.add(name: "X-Vault-Token", value: try settings.token())
            request.headers.add(name: "X-Vault-Request", value: "true")
            if let body {
                request.headers.add(name: "Content-Type", value: "application/json")
                request.body = .data(try JSONEncoder().encode(body))
            }
            let limit = TimeAmount.milliseconds(Int64(max(1, settings.limit / .milliseconds(1))))
            let collector = ResponseAccumulator(request: request, maxBodySize: 1_048_576)
            let answer = try client.execute(request: request, delegate: collector, deadline: .now() + limit).wait()
            return (answer.status.code, answer.body.map { Data($0.readableBytesView) } ?? Data())
        } catch {
            throw OpenBaoKeys.unavailable("does not answer")
        }
    }
}
#endif
