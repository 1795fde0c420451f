import MultiIdentity

/// A gate that tasks wait at, cancelled or not, until it is opened.
final class Gate: Sendable {
    private enum State {
        case closed([CheckedContinuation<Void, Never>])
        case open
    }

    private let state = Locked(State.closed([]))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                guard case .closed(let waiting) = state else { return true }
                state = .closed(waiting + [continuation])
                return false
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state = .open }
            return if case .closed(let waiting) = state { waiting } else { [CheckedContinuation<Void, Never>]() }
        }
        for continuation in waiting { continuation.resume() }
    }
}
