import GRPCCore
import HTTPTypes
import LedgerConnection
import LedgerProtocol
import Logging
import MultiIdentity
import MultiIdentityCarriers
import ServiceLifecycle
import SwiftProtobuf

/// The ledger, which another process keeps: each call names there, signed, its user.
struct LedgerClient: LedgerCalling, Service {
    private let connection: LedgerConnection

    /// - Parameters:
    ///   - host: Where the ledger listens: an address of IPv4.
    ///   - port: Its port.
    ///   - signing: Signs for it.
    /// - Throws: What the transport throws.
    init(host: String, port: Int, signing: IdentitySigning) throws {
        connection = try LedgerConnection(host: host, port: port, signing: signing)
    }

    /// Keeps the connection, until the server stops and every call has been answered.
    func run() async throws { try await connection.run() }

    func erase(_ tenant: Identity) async throws { try await connection.erase(tenant) }

    func record(_ errand: Errand) async throws -> [Sighting] {
        let entry = try await errand.asOwner {
            try IdentityRevocation.admit(workOf: EffectiveIdentity.current(for: .files))
            do {
                return try await connection.calls.append(
                    .with {
                        $0.requestID = errand.jobKey
                        $0.text = "An entry for \(errand.marker.text)"
                    }
                )
            } catch let error as RPCError where error.code == .unavailable || error.code == .deadlineExceeded {
                errand.logger.warning("the ledger does not answer", metadata: ["code": "\(error.code)"])
                throw Refusal(.serviceUnavailable, code: "no_ledger", "The ledger does not answer: try again later.")
            } catch let error as RPCError {
                // Trying again would not help: keys that differ, clocks that differ, a fault there.
                errand.logger.error("the ledger failed a call", metadata: ["reason": "\(error)"])
                throw Refusal(.badGateway, code: "ledger_failed", "The ledger did not do this; the log says why.")
            }
        }
        return [
            Sighting(as: entry.servedAs.shown, place: "ledger"),
            Sighting(as: entry.owner.shown, place: "ledger's entry"),
            errand.sighting(at: "after the ledger"),
        ]
    }
}

extension Ledger_V1_Seen {
    fileprivate var shown: String {
        switch who {
        case .name(let name): name
        case .nobody, .unset, nil: "no one"
        }
    }
}
