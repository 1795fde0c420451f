import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityManagement
@_spi(Checks) import MultiIdentityTesting
import PostgreSQLIdentity
import Synchronization

/// The work of a process for all users, and the time of its last effect for each.
final class LeavingLoad: Sendable {
    private struct State {
        var moments: [Int64]
        /// The user who leaves next.
        var next = 0
        /// The number of users who have, or had, a stream.
        var streamed = 0
    }

    /// The largest number of users with a stream at a time, so that any number of them can leave.
    private static let streams = 1_000

    private let registry: AccountRegistry
    private let database: PostgreSQLDatabase
    private let users: [Identity]
    private let pause: Int
    private let admits: Bool
    private let state: Mutex<State>
    private let queue = IdentityQueue(label: "later", attributes: .concurrent)

    init(
        _ registry: AccountRegistry,
        _ database: PostgreSQLDatabase,
        _ users: [Identity],
        pause: Int,
        admits: Bool
    ) {
        self.pause = pause
        self.registry = registry
        self.database = database
        self.users = users
        self.admits = admits
        state = Mutex(State(moments: Array(repeating: 0, count: users.count)))
    }

    /// The machine's time of day in microseconds, shared by all processes.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    var last: [Int64] { state.withLock { $0.moments } }

    func note(_ user: Int) { state.withLock { $0.moments[user] = Self.now } }

    /// Records who leaves next, and opens the streams of those who leave afterwards.
    func leavesNext(_ user: Int) {
        let opened = state.withLock { state in
            defer { state.streamed = max(state.streamed, min(users.count, user + Self.streams)) }
            state.next = user
            return state.streamed..<max(state.streamed, min(users.count, user + Self.streams))
        }
        for user in opened { Task { await stream(of: user) } }
    }

    /// Works for one random user after the other.
    func run(_ dice: SeededGenerator) async {
        var dice = dice
        while true {
            let user = draw(&dice)
            let later = dice.below(50)
            await withIdentity(users[user]) {
                // Work that opens a scope without checking continues; the database's leases check by themselves.
                if !admits { return note(user) }
                // Checked inside the scope, which counts as work from its beginning.
                do {
                    try registry.admit(users[user])
                    try await database.query("INSERT INTO notes (title) VALUES ('effect')")
                } catch {
                    return
                }
                note(user)
                queue.asyncAfter(deadline: .now() + .milliseconds(later)) { [self] in
                    // Captured now: after the user has left, it is nobody's.
                    if Identity.current == users[user] { note(user) }
                }
            }
            try? await Task.sleep(for: .milliseconds(pause))
        }
    }

    /// Draws any user, or one of those who leave soon: otherwise few leavers would have work in progress.
    private func draw(_ dice: inout SeededGenerator) -> Int {
        if dice.below(2) == 0 { return dice.below(users.count) }
        let next = state.withLock { $0.next }
        return min(max(0, next - 4) + dice.below(12), users.count - 1)
    }

    /// Sends the user something from time to time, as long as the stream is open.
    private func stream(of user: Int) async {
        await withIdentity(users[user]) {
            _ = try? await IdentityRevocation.cancelling { [self] in
                while true {
                    note(user)
                    try await Task.sleep(for: .milliseconds(500 + user % 500))
                }
            }
        }
    }
}
