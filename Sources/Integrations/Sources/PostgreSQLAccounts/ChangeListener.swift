import Dispatch
import MultiIdentity
import PostgreSQLIdentity
import Synchronization

/// A connection that listens on its own thread, and is reopened if it is lost.
final class ChangeListener: Sendable {
    private struct State {
        var wire: PostgreSQLWire?
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let ending = DispatchSemaphore(value: 0)
    private static let pause = DispatchTimeInterval.seconds(1)

    /// Starts listening in the background.
    ///
    /// - Parameters:
    ///   - url: The database.
    ///   - channel: The name of the channel.
    ///   - ownName: The payload of notifications to ignore: those of the listener's own store.
    ///   - changed: Called for all others, and when some may have been missed.
    init(_ url: String, to channel: String, except ownName: String, _ changed: @escaping @Sendable () -> Void) {
        // Nobody's, also in automatic mode: it outlives the caller's work.
        withIdentity(.nobody) {
            DispatchQueue(label: "multi-identity.account-changes").async { [self] in
                while !state.withLock({ $0.hasEnded }) {
                    try? listen(url, channel, ownName, changed)
                    _ = ending.wait(timeout: .now() + Self.pause)
                }
            }
        }
    }

    /// Closes the connection; a running callback may continue.
    func end() {
        let wire = state.withLock { state in
            state.hasEnded = true
            return state.wire.take()
        }
        wire?.cut()
        ending.signal()
    }

    /// Listens until the connection is lost.
    private func listen(
        _ url: String,
        _ channel: String,
        _ ownName: String,
        _ changed: @Sendable () -> Void
    ) throws(PostgreSQLError) {
        let wire = try PostgreSQLWire(url)
        let hasEnded = state.withLock { state in
            state.wire = state.hasEnded ? nil : wire
            return state.hasEnded
        }
        if hasEnded { return }
        let answers = try wire.run([PostgreSQLStatement(fixed: "LISTEN \(channel)")], within: .seconds(10))
        if let refusal = answers.refusal { throw refusal }
        // Notifications before it listened, and while it did not, were missed.
        changed()
        while let payloads = wire.notifications() {
            if payloads.contains(where: { $0 != ownName }) { changed() }
        }
    }
}
