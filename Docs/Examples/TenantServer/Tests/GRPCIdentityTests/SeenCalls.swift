import Dispatch
import GRPCCore
import LedgerProtocol
import MultiIdentity
import Synchronization

/// A service that answers whom it sees: in the handler, and behind a hop onto a thread that may block.
final class SeenCalls: Ledger_V1_Ledger.SimpleServiceProtocol {
    private let queue = IdentityQueue(label: "seen", attributes: .concurrent)
    private let reached = Mutex(0)

    /// The number of calls that reached a handler.
    var calls: Int { reached.withLock { $0 } }

    func append(request: Ledger_V1_AppendRequest, context: ServerContext) async throws -> Ledger_V1_Entry {
        reached.withLock { $0 += 1 }
        return await entry(of: request.requestID)
    }

    func appendEach(
        request: RPCAsyncSequence<Ledger_V1_AppendRequest, any Error>,
        response: RPCWriter<Ledger_V1_Entry>,
        context: ServerContext
    ) async throws {
        reached.withLock { $0 += 1 }
        for try await message in request { try await response.write(entry(of: message.requestID)) }
    }

    func list(
        request: Ledger_V1_ListRequest,
        response: RPCWriter<Ledger_V1_Entry>,
        context: ServerContext
    ) async throws {
        reached.withLock { $0 += 1 }
        for index in 0..<3 {
            try await response.write(entry(of: "\(index)"))
            await Task.yield()
        }
    }

    func receipts(
        request: Ledger_V1_ListRequest,
        response: RPCWriter<Ledger_V1_Receipt>,
        context: ServerContext
    ) async throws { throw RPCError(code: .unimplemented, message: "Nothing here makes receipts.") }

    func erase(request: Ledger_V1_EraseRequest, context: ServerContext) async throws -> Ledger_V1_Erased {
        throw RPCError(code: .unimplemented, message: "Nothing here is kept.")
    }

    private func entry(of id: String) async -> Ledger_V1_Entry {
        var entry = Ledger_V1_Entry()
        entry.requestID = id
        entry.owner = Self.seen
        entry.servedAs = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Self.seen) }
        }
        return entry
    }

    static var seen: Ledger_V1_Seen {
        var seen = Ledger_V1_Seen()
        switch Identity.current {
        case nil: seen.unset = Ledger_V1_Seen.Unset()
        case let identity? where identity.isNobody: seen.nobody = Ledger_V1_Seen.Nobody()
        case let identity?: seen.name = identity.name
        }
        return seen
    }
}
