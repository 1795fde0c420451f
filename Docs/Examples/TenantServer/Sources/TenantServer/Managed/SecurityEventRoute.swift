import Foundation
import HTTPTypes
import Hummingbird
import IssuerKeys
import Logging
import MultiIdentity
import MultiIdentityManagement
import SecurityEvents

/// The route that an identity provider pushes its events to (RFC 8935): who is signed out or gone there may not work here.
///
/// A token proves itself; the request needs no other. When it is answered with 202 the account is revoked and none of its work runs any
/// more in any process of the database, and the wipe of one that is gone is on its way; where work goes on for longer than some seconds the provider is to send the token again.
struct SecurityEventRoute: Sendable {
    let receiver: SecurityEventReceiver
    let registry: AccountRegistry

    func add(to router: Router<TenantContext>) { router.post("security-events", use: receive) }

    private func receive(_ request: Request, _ context: TenantContext) async throws -> Response {
        let body = try await request.body.collect(upTo: 65_536 + 1)
        do {
            let outcome = try await receiver.receive(String(buffer: body)) { event in try await act(on: event) }
            context.logger.notice("a security event token", metadata: ["outcome": "\(outcome)"])
            return Response(status: .accepted)
        } catch let error as SecurityEventError {
            context.logger.warning("a security event token was refused", metadata: ["reason": "\(error.message)"])
            let answer = try JSONEncoder().encode(["err": error.code.rawValue, "description": error.message])
            return Response(
                status: .badRequest,
                headers: [.contentType: "application/json", .contentLanguage: "en"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer))
            )
        } catch let error as IssuerKeysError {
            // Its keys cannot be had: nothing is known of the token, which is to be sent again.
            context.logger.error("a security event token waits", metadata: ["reason": "\(error.message)"])
            throw Refusal(.serviceUnavailable, code: "no_keys", error.message)
        }
    }

    private func act(on event: SecurityEvent) async throws {
        // An account that nobody here can be called by has nothing here.
        guard let identity = event.subject?.identity(from: event.issuer), !identity.isNobody else { return }
        switch event.kind {
        case .signedOut:
            let reason = "the identity provider says that its sessions are over"
            try await registry.letGo(identity, because: reason, wiping: false)
        case .left: try await registry.letGo(identity, because: "the identity provider says that it is no more")
        case .other: break
        }
    }
}
