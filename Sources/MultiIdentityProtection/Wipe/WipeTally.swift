import CSystemCalls
import MultiIdentity
import MultiIdentityFiles

/// Counts what a wipe, or a dry run, finds in the storages, and lets it yield to others.
final class WipeTally: Sendable {
    /// The count of what was removed, in all runs.
    struct Count: Equatable, Sendable {
        var files: UInt64 = 0
        var bytes: UInt64 = 0
        /// The number of keys before they were destroyed, if the provider knows it.
        var keys: Int?
    }

    /// The purpose of visiting a storage.
    enum Visited {
        /// Removes the files.
        case removedFiles
        /// Reports what would be removed.
        case foundFiles
        /// Verifies that the handler removed all files, as it reported.
        case forgottenFiles
    }

    private struct State {
        var phase = WipePhase.revoking
        var entries: UInt64 = 0
        var count: Count
        var failures: [WipeFailure] = []
        var failureCount = 0
        var failureBytes = 0
        var worksSince = ContinuousClock.now
        var reported = ContinuousClock.now
        var noted = ContinuousClock.now

        mutating func add(_ failure: WipeFailure) {
            failureCount += 1
            let bytes = failure.subject.utf8.count + failure.reason.utf8.count
            // A report must fit into one record of the journal, and be readable.
            guard failures.count < 1_000, failureBytes + bytes < 1 << 18 else { return }
            failures.append(failure)
            failureBytes += bytes
        }
    }

    private let identity: Identity
    private let yields: Bool
    private let notify: @Sendable (WipeProgress) -> Void
    private let note: @Sendable (Count) -> Void
    private let state: Locked<State>

    init(
        of identity: Identity,
        after count: Count,
        yields: Bool,
        notify: @escaping @Sendable (WipeProgress) -> Void,
        note: @escaping @Sendable (Count) -> Void
    ) {
        self.identity = identity
        self.yields = yields
        self.notify = notify
        self.note = note
        state = Locked(State(count: count))
    }

    var count: Count { state.withLock { $0.count } }
    var failures: [WipeFailure] { state.withLock { $0.failures } }
    var failureCount: Int { state.withLock { $0.failureCount } }

    func fail(_ failure: WipeFailure) { state.withLock { $0.add(failure) } }

    func setKeys(_ count: Int?) {
        // An earlier run may have destroyed them, and found more.
        state.withLock { $0.count.keys = [$0.count.keys, count].compactMap { $0 }.max() }
    }

    func begin(_ phase: WipePhase) {
        notify(
            state.withLock { state in
                state.phase = phase
                (state.worksSince, state.noted) = (.now, .now)
                return progress(state)
            }
        )
    }

    /// Visits a storage, and counts what is found; found files count only if nothing is removed.
    func visit(_ storage: any WipedStorage, _ visited: Visited) {
        let visit = WipeVisit { [self] event in
            switch event {
            case .passed: pass()
            case .found(let path, let bytes):
                switch visited {
                case .removedFiles: break
                case .foundFiles: add(bytes)
                case .forgottenFiles:
                    let reason =
                        "the handler reported that it removed all files, but this one exists. Have it report that it did not remove them."
                    fail(WipeFailure(path, because: reason))
                }
            case .removed(_, let bytes): add(bytes)
            case .failed(let failure): fail(failure)
            }
        }
        do {
            switch visited {
            case .removedFiles: try storage.removeFiles(of: identity, visit)
            case .foundFiles, .forgottenFiles: try storage.files(of: identity, visit)
            }
        } catch {
            fail(WipeFailure("\(storage.storageName): \(error.subject)", because: error.reason))
        }
    }

    private func add(_ bytes: UInt64) {
        state.withLock { state in
            state.count.files += 1
            state.count.bytes &+= bytes
        }
    }

    private static let slice = Duration.milliseconds(2)
    /// The pause, as a multiple of the time that it worked.
    ///
    /// Long, because synchronizing the disk includes what was removed, and other work slows down meanwhile.
    private static let rest = 31

    private func pass() {
        let (pause, progress, count) = state.withLock { state -> (Duration?, WipeProgress?, Count?) in
            state.entries += 1
            let now = ContinuousClock.now
            let isToTell = now - state.reported >= .milliseconds(100)
            if isToTell { state.reported = now }
            let isToNote = state.phase == .removing && now - state.noted >= .seconds(1)
            if isToNote { state.noted = now }
            let worked = now - state.worksSince
            let isToPause = yields && worked >= Self.slice
            return (isToPause ? worked : nil, isToTell ? self.progress(state) : nil, isToNote ? state.count : nil)
        }
        if let progress { notify(progress) }
        if let count { note(count) }
        if let pause {
            // A dedicated thread sleeps here; its working time includes waiting for the disk, which others need too.
            usleep(UInt32(min(pause * Self.rest, .seconds(2)) / .microseconds(1)))
            state.withLock { $0.worksSince = .now }
        }
    }

    private func progress(_ state: State) -> WipeProgress {
        WipeProgress(
            identity: identity,
            phase: state.phase,
            entries: state.entries,
            files: state.count.files,
            bytes: state.count.bytes
        )
    }
}
