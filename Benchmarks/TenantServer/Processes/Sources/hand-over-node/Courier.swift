import Foundation
import FoundationNetworking
import HTTPTypes
import IdentityEnvelope
import MultiIdentity
import MultiIdentityCarriers
import MultiIdentityPolicy
import SignedIdentity

/// Seals what is in the outbox for the other server, and opens what comes from it.
struct Courier: Sendable {
    let store: NodeStore
    let name: String
    let address: EnvelopeAddress
    let peerURL: String
    let key: EnvelopeKey
    let keys: KeyRing

    /// Hands over each item of the outbox, once: an item stays there until the other server has it or refuses it.
    func sendAll() async throws {
        for item in store.names(in: .outbox) {
            let envelope: [UInt8]
            do {
                envelope = try sealed(item)
            } catch is PolicyRefusal {
                try store.move(item, from: .outbox, to: .refused)
                continue
            }
            guard let url = URL(string: peerURL) else { return }
            var request = URLRequest(url: url, timeoutInterval: 5)
            request.httpMethod = "POST"
            guard let (_, response) = try? await URLSession.shared.upload(for: request, from: Data(envelope)) else {
                return  // The other server is not there, or was killed: later.
            }
            switch (response as? HTTPURLResponse)?.statusCode {
            case 200: try store.move(item, from: .outbox, to: .sent)
            case 403: try store.move(item, from: .outbox, to: .refused)
            default: return
            }
        }
    }

    /// Seals an item for the other server, as its owner's.
    private func sealed(_ item: String) throws -> [UInt8] {
        let (owner, content) = try store.content(of: item)
        let receiver = try store.receiver(of: item)
        try store.accounts.decide(.share(with: receiver), for: owner).check()
        let label = Array("\(item)\n\(receiver.name)".utf8)
        var sealer = try EnvelopeSealer(of: owner, for: address, label: label) { audience in
            try .hmac(issuer: name, audience: audience, keys: keys)
        }
        return try sealer.header + sealer.seal(content) + sealer.finish()
    }

    /// Takes in what the other server sent; what it was sent before is there already.
    func receive(_ bytes: [UInt8]) -> HTTPResponse.Status {
        do {
            var opener = EnvelopeOpener(key: key, name: name) { audience in
                SignatureVerifier.hmac(audience: audience, issuers: [address.name: keys])
            }
            let content = try opener.open(bytes)
            let envelope = opener.envelope
            try opener.finish()
            guard let envelope else { return .badRequest }
            let label = String(decoding: envelope.label, as: UTF8.self).split(separator: "\n").map(String.init)
            guard label.count == 2, let receiver = try? Identity(label[1]) else { return .badRequest }
            // The receiver's policy, before a byte is written.
            try store.accounts.decide(.share(with: receiver), for: envelope.owner).check()
            try store.store(label[0], content, of: envelope.owner)
            return .ok
        } catch is PolicyRefusal {
            return .forbidden
        } catch is EnvelopeError {
            return .badRequest
        } catch {
            return .internalServerError
        }
    }
}
