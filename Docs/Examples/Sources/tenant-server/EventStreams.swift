import Foundation
import MultiIdentity
import Synchronization

/// A job's event, as its user's streams receive it.
struct JobEvent: Codable, Hashable, Sendable {
    let owner: String
    let text: String
    /// The number of the ledger's entry.
    let entry: Int
}

/// Event streams: a user's events are sent to that user's streams, which end when the user leaves.
final class EventStreams: Sendable {
    private struct Stream {
        let continuation: AsyncStream<JobEvent>.Continuation
        let registration: RevocationRegistration
    }

    private let streams = Mutex<[Identity: [UUID: Stream]]>([:])

    /// Subscribes the current user, until the stream is dropped or the user leaves.
    func subscribe() throws -> AsyncStream<JobEvent> {
        let (owner, id) = (try Identity.required(), UUID())
        let (events, continuation) = AsyncStream<JobEvent>.makeStream(bufferingPolicy: .bufferingNewest(100))
        continuation.onTermination = { [weak self] _ in self?.remove(id, of: owner) }
        let registration = IdentityRevocation.onRevocation(of: owner) { continuation.finish() }
        streams.withLock {
            $0[owner, default: [:]][id] = Stream(continuation: continuation, registration: registration)
        }
        // If the user was revoked in between, the registration did not yet list this stream.
        if IdentityRevocation.isRevoked(owner) { remove(id, of: owner) }
        return events
    }

    /// Sends an event to the current user's streams.
    func publish(_ event: JobEvent) throws {
        let owner = try Identity.required()
        for stream in streams.withLock({ Array(($0[owner] ?? [:]).values) }) { stream.continuation.yield(event) }
    }

    private func remove(_ id: UUID, of owner: Identity) {
        // Released outside the lock, since that cancels the registration.
        let removed = streams.withLock { streams in
            let removed = streams[owner]?.removeValue(forKey: id)
            if streams[owner]?.isEmpty ?? false { streams[owner] = nil }
            return removed
        }
        withExtendedLifetime(removed) {}
    }
}
