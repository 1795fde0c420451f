import Dispatch
import Foundation
import MultiIdentity
import Synchronization

/// The one thread that watches the sockets of all connections, and the time.
///
/// `poll` and not a source of Dispatch: on Linux the latter misses the end of a connection now and then, and who waits for an
/// answer would wait until its time is up. What is ready is reported each time anew here, until it was taken.
final class SocketWatch: Sendable {
    static let shared = SocketWatch()

    private struct Entry {
        let wire: PostgreSQLWire
        let socket: Int32
        var isWriting = false
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The moment at which to look for what timed out.
        var alarm = UInt64.max
        var isRunning = false
        /// The pipe's end that wakes the thread.
        var bell: Int32 = -1
    }

    private let state = Mutex(State())

    /// Watches a connection until it is removed, and calls its `receive`, `write` and `timeIsUp`.
    func add(_ wire: PostgreSQLWire, _ socket: Int32) throws(PostgreSQLError) {
        let hasBegun = state.withLock { state -> Bool in
            state.entries[ObjectIdentifier(wire)] = Entry(wire: wire, socket: socket)
            return state.isRunning || begin(&state)
        }
        guard hasBegun else { throw .cannotConnect("the process has no more file descriptors") }
        ring()
    }

    func remove(_ wire: PostgreSQLWire) {
        state.withLock { $0.entries[ObjectIdentifier(wire)] = nil }
        ring()
    }

    /// Has `write` called once the socket takes more, or no longer.
    func watchForWriting(_ wire: PostgreSQLWire, _ isWriting: Bool) {
        state.withLock { $0.entries[ObjectIdentifier(wire)]?.isWriting = isWriting }
        ring()
    }

    /// Has each connection's `timeIsUp` called at a moment, or before.
    func setAlarm(for moment: UInt64) {
        let isEarlier = state.withLock { state -> Bool in
            guard moment < state.alarm else { return false }
            state.alarm = moment
            return true
        }
        if isEarlier { ring() }
    }

    private func begin(_ state: inout State) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (state.bell, state.isRunning) = (ends[1], true)
        let heard = ends[0]
        // Nobody's, in automatic mode as well: it outlives the first caller.
        withIdentity(.nobody) { DispatchQueue(label: "postgresql sockets").async { self.run(hearing: heard) } }
        return true
    }

    private func ring() {
        let bell = state.withLock { $0.bell }
        // Where the pipe is full, the thread is to wake anyway.
        withUnsafePointer(to: UInt8(1)) { _ = unistdWrite(bell, $0, 1) }
    }

    private func run(hearing heard: Int32) {
        while true {
            let (entries, alarm) = state.withLock { (Array($0.entries.values), $0.alarm) }
            var sockets = [pollfd(fd: heard, events: Int16(POLLIN), revents: 0)]
            for entry in entries {
                sockets.append(
                    pollfd(fd: entry.socket, events: Int16(entry.isWriting ? POLLIN | POLLOUT : POLLIN), revents: 0)
                )
            }
            serve(&sockets, entries, hearing: heard, until: alarm)
        }
    }

    /// Serves the sockets until what is watched has changed, or a moment has come.
    private func serve(_ sockets: inout [pollfd], _ entries: [Entry], hearing heard: Int32, until alarm: UInt64) {
        while true {
            let now = DispatchTime.now().uptimeNanoseconds
            if alarm <= now { return tellTheTime() }
            // Rounded up, so that it does not look in vain just before.
            let wait = alarm == .max ? -1 : Int32(clamping: (alarm - now) / 1_000_000 + 1)
            guard poll(&sockets, nfds_t(sockets.count), wait) > 0 else { continue }
            for (socket, entry) in zip(sockets.dropFirst(), entries) where socket.revents != 0 {
                if Int32(socket.revents) & Int32(POLLOUT) != 0 { entry.wire.write() }
                // The end of a connection is read as well. One that was closed since then knows that.
                if Int32(socket.revents) & ~Int32(POLLOUT) != 0 { entry.wire.receive() }
            }
            guard sockets[0].revents != 0 else { continue }
            withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
                while unistdRead(heard, bytes.baseAddress, 64) == 64 {}
            }
            return
        }
    }

    private func tellTheTime() {
        // At once, so that each either sets the alarm after this, or is notified.
        let entries = state.withLock { state in
            state.alarm = .max
            return Array(state.entries.values)
        }
        for entry in entries { entry.wire.timeIsUp() }
    }
}

// Under names of their own, since methods of the class would hide the C library's.
private func unistdWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
private func unistdRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(file, bytes, count)
}
