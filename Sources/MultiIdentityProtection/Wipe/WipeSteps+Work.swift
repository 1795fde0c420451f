import MultiIdentity
import MultiIdentityPolicy

extension WipeSteps {
    /// Refuses new work, cuts short what can be, and waits for the rest, all within the limit.
    func revokeAndDrain() async {
        let clock = ContinuousClock()
        let end = clock.now + wipe.drainLimit
        let before = IdentityRevocation.workInFlight(of: identity)
        let cancelled = await timed(.revoking) { await revoke(within: wipe.drainLimit) }
        let left = await timed(.draining) {
            await IdentityRevocation.drained(identity, within: max(.zero, end - clock.now))
        }
        var names = left.work.prefix(100).map(\.description)
        if cancelled == nil { names.append("a handler that waited for the revocation, and has not returned") }
        setWork(
            WipeReport.Work(
                cancelled: cancelled ?? 0,
                captured: before.captured,
                stillRunning: left.running + (cancelled == nil ? 1 : 0),
                names: names
            )
        )
    }

    /// Revokes, and waits for the handlers that are notified of it; `nil` where they take too long.
    private func revoke(within limit: Duration) async -> Int? {
        let answer = Promise<Int?>()
        WipeThreadWork { [identity] in answer.give(IdentityRevocation.revoke(identity, for: .wiped)) }.start()
        let alarm = Task.detached {
            try? await Task.sleep(for: limit)
            if !Task.isCancelled { answer.give(nil) }
        }
        let cancelled = await answer.wait()
        alarm.cancel()
        // However busy the machine is: nothing is removed before the identity is revoked.
        while IdentityRevocation.all[identity] != .wiped { try? await Task.sleep(for: .milliseconds(1)) }
        return cancelled
    }
}
