import Foundation
import GRDB
import GRPCCore
import JobQueue
import LedgerProtocol
import Logging
import MultiIdentity
import MultiIdentityLease
import PostgreSQLIdentity

/// The service: each call answers with as whom its work was seen to be done.
struct LedgerCalls: Ledger_V1_Ledger.SimpleServiceProtocol {
    let store: any LedgerStore
    let handover: any WorkHandover
    /// The time that the blocking library, which this stands for, takes besides the database.
    let blocking: Duration
    let logger: Logger

    func append(request: Ledger_V1_AppendRequest, context: ServerContext) async throws -> Ledger_V1_Entry {
        try await append(request)
    }

    func appendEach(
        request: RPCAsyncSequence<Ledger_V1_AppendRequest, any Error>,
        response: RPCWriter<Ledger_V1_Entry>,
        context: ServerContext
    ) async throws {
        for try await message in request { try await response.write(append(message)) }
    }

    func list(
        request: Ledger_V1_ListRequest,
        response: RPCWriter<Ledger_V1_Entry>,
        context: ServerContext
    ) async throws {
        try await inPages(context) { [store] last in
            try await store.entries(after: last, limit: 100)
        } write: { entry in
            try await response.write(Ledger_V1_Entry(entry))
            return entry.number
        }
    }

    func receipts(
        request: Ledger_V1_ListRequest,
        response: RPCWriter<Ledger_V1_Receipt>,
        context: ServerContext
    ) async throws {
        try await inPages(context) { [store] last in
            try await store.receipts(after: last, limit: 100)
        } write: { receipt in
            try await response.write(Ledger_V1_Receipt(receipt))
            return receipt.entry
        }
    }

    func erase(request: Ledger_V1_EraseRequest, context: ServerContext) async throws -> Ledger_V1_Erased {
        try await work { [store, logger] in
            let erased = try await store.erase()
            // Without the owner: the metadata provider would name it, in a log that outlives the ledger.
            withIdentity(nil) {
                logger.notice("A ledger was erased", metadata: ["entries": "\(erased.entries)"])
            }
            return Ledger_V1_Erased(erased)
        }
    }

    private func append(_ request: Ledger_V1_AppendRequest) async throws -> Ledger_V1_Entry {
        guard 1...128 ~= request.requestID.utf8.count, request.requestID.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw LedgerError.invalidRequest("request_id has to be 1 to 128 printable ASCII characters.")
        }
        guard request.text.utf8.count <= 65_536 else {
            throw LedgerError.invalidRequest("text has \(request.text.utf8.count) bytes; at most 65,536 are taken.")
        }
        return try await work { [store, handover, blocking, logger] in
            logger.debug("An entry is to be written", metadata: ["request": "\(request.requestID)"])
            if blocking > .zero {
                try await handover.run { Thread.sleep(forTimeInterval: blocking / .seconds(1)) }
            }
            let entry = try await store.append(requestID: request.requestID, text: request.text)
            logger.info(
                "An entry was written",
                metadata: ["request": "\(request.requestID)", "entry": "\(entry.number)"]
            )
            return Ledger_V1_Entry(entry)
        }
    }

    /// Does a call's work; what fails otherwise than by the caller's fault is logged, and not shown to them.
    private func work<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as LedgerError where error.rpcErrorCode != .dataLoss {
            throw error
        } catch let error where error.isPassing {
            logger.warning("The database did not serve a call", metadata: ["reason": "\(error)"])
            throw RPCError(code: .unavailable, message: "The ledger's database is busy. Try again.", cause: error)
        } catch {
            logger.error("A call failed", metadata: ["reason": "\(error)"])
            if let error = error as? LedgerError { throw error }
            throw RPCError(
                code: .internalError,
                message: "The ledger could not do this. Its log says why.",
                cause: error
            )
        }
    }

    /// Reads page after page, so that no answer is in memory whole.
    private func inPages<Item: Sendable>(
        _ context: ServerContext,
        read: @escaping @Sendable (_ after: Int64) async throws -> [Item],
        write: (Item) async throws -> Int64
    ) async throws {
        var last: Int64 = 0
        while !context.cancellation.isCancelled {
            let page = try await work { [last] in try await read(last) }
            if page.isEmpty { break }
            for item in page { last = try await write(item) }
        }
    }
}

extension Error {
    /// True where the same call can succeed later: each names its request, so that it can be made twice.
    fileprivate var isPassing: Bool {
        switch self {
        case let error as DatabaseError: error.resultCode == .SQLITE_BUSY
        case let error as PostgreSQLError:
            [.cannotConnect, .connectionLost, .commitUnknown, .timedOut].contains(error.code)
        case let error as LeaseError: error.code == .waitedTooLong
        default: false
        }
    }
}
