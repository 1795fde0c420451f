import Dispatch
import Foundation
import Synchronization

/// The handling of SIGINT, SIGTERM and SIGHUP: the program ends at once where nothing is half done, else as soon as what
/// is half done is undone or done.
///
/// It ends by the signal itself, so that a shell stops its loop too; `$?` is 130 after Ctrl-C.
enum Interruption {
    private struct State {
        /// The number of pieces of work that have something to be tidied up.
        var guarded = 0
        var signal: Int32?
        var cancel: (@Sendable () -> Void)?
    }

    private static let state = Mutex(State())
    /// A pipe that can be read once an end is wanted, for code that waits for input.
    private static let wakeUp: (read: Int32, write: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    /// Begins to take signals; those that are ignored, as under `nohup`, stay so.
    static func watch() {
        _ = wakeUp
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var before = sigaction()
            guard sigaction(number, nil, &before) == 0, !isIgnored(before) else { continue }
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
            // Its own handler holds it, for as long as the program runs.
            source.setEventHandler { withExtendedLifetime(source) { came(number) } }
            source.resume()
        }
    }

    /// Runs work that must not be cut off: it is asked to end by ``check()`` instead.
    static func guarding<Value>(_ work: () throws -> Value) rethrows -> Value {
        state.withLock { $0.guarded += 1 }
        defer { state.withLock { $0.guarded -= 1 } }
        return try work()
    }

    /// Runs work that is cancelled where an end is wanted.
    nonisolated(nonsending) static func cancelling<Value: Sendable>(
        _ work: @escaping @Sendable @concurrent () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await work() }
        let isWanted = state.withLock { state in
            state.guarded += 1
            state.cancel = { task.cancel() }
            return state.signal != nil
        }
        defer {
            state.withLock { state in
                state.guarded -= 1
                state.cancel = nil
            }
        }
        if isWanted { task.cancel() }
        do { return try await task.value } catch {
            try check()
            throw error
        }
    }

    /// Ends work where that is wanted.
    ///
    /// - Throws: ``CommandFailure`` with the status of an interrupted program.
    static func check() throws(CommandFailure) {
        guard let number = state.withLock({ $0.signal }) else { return }
        throw CommandFailure(
            .interrupted(by: number),
            "interrupted",
            "Interrupted; each file is as it was before, or done."
        )
    }

    /// Waits until a descriptor can be read, or an end is wanted.
    static func waitForInput(_ descriptor: Int32) throws(CommandFailure) {
        var waiting = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waiting, 2, -1) < 0, errno == EINTR {}
        try check()
    }

    /// Ends the program by the signal that came, if one did.
    static func endIfWanted() {
        if let number = state.withLock({ $0.signal }) { end(by: number) }
    }

    private static func came(_ number: Int32) {
        let cancel = state.withLock { state in
            // Under the lock, so that nothing begins meanwhile that would be cut off. Asked twice, the user is in a hurry.
            if state.guarded == 0 || state.signal != nil { end(by: number) }
            state.signal = number
            return state.cancel
        }
        cancel?()
        var byte: UInt8 = 0
        _ = write(wakeUp.write, &byte, 1)
    }

    private static func end(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        var all = sigset_t()
        sigfillset(&all)
        sigdelset(&all, number)
        // On this thread, whatever others block.
        pthread_sigmask(SIG_SETMASK, &all, nil)
        raise(number)
        _exit(128 + number)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
        #else
        let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
