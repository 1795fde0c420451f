import MultiIdentity

// Work whose identity is revoked before it begins.
extension BoundaryCheck {
    /// Checks an identity that stays revoked, and one that is readmitted: what was captured before stays revoked.
    func runsNothingAsTheRevoked() async throws {
        let isEarly = boundary.capturePoint != .handedOver
        if boundary.isAwaited && !isEarly {
            throw skip("the caller waits for the work, so it belongs to the caller's own work")
        }
        if boundary.bindsByItself { throw skip("each request opens its own scope") }
        // While this is off, a capture counts as older than any revocation.
        IdentityRevocation.isOn = true
        for isReadmitted in [false, true] {
            // A free worker can begin before the revocation, and work that has begun keeps its identity. A pool may have grown:
            // after every ten tries, twice as many workers are kept busy.
            var tries = 0
            while try await !runsAsNobody(isEarly: isEarly, isReadmitted: isReadmitted, others: 16 << (tries / 10)) {
                tries += 1
                if tries == 60 { throw skip("its work begins at once, before its identity can be revoked") }
            }
        }
    }

    /// Returns `false` if the work began, or even ended, before the revocation.
    private func runsAsNobody(isEarly: Bool, isReadmitted: Bool, others: Int) async throws -> Bool {
        let leaver = try Cast.leaver()
        defer { IdentityRevocation.readmit(leaver) }
        let (isRevoked, gate) = (Locked(false), gate(blocksTasks: true))
        let (reply, hasBegun) = (Reply<(identity: Identity?, isAfterwards: Bool)>(), Reply<Bool>())
        // They keep the workers busy, including those of tasks: the thread below opens the gate and needs none of them.
        let others = isEarly || boundary.drain != nil ? 0 : min(others, (boundary.capacity ?? .max) - 1)
        startThread { [self] in
            gate.belongsHere()
            for _ in 0..<others { withIdentity(cast.stranger) { prepare(behind: gate) {}() } }
            let fire = withIdentity(leaver) {
                let fire = prepare {
                    let isAfterwards = isRevoked.withLock { $0 }
                    reply.send((Identity.current, isAfterwards))
                }
                if !isEarly { fire() }
                return fire
            }
            IdentityRevocation.revoke(leaver, for: .signedOut)
            // Nothing begins as a revoked identity: what runs now began before.
            hasBegun.send(!IdentityRevocation.workInFlight(of: leaver).isDrained)
            if isReadmitted { IdentityRevocation.readmit(leaver) }
            isRevoked.withLock { $0 = true }
            if isEarly { withIdentity(cast.hander) { fire() } }
            gate.open()
            drain(as: cast.worker)
        }
        let end = isReadmitted ? "revoked and readmitted before the work began" : "revoked before the work began"
        let situation = Situation(as: leaver, onWorkerOf: cast.worker).remarked(end)
        let found = try await value(of: reply, in: situation)
        if try await value(of: hasBegun, in: situation) || !found.isAfterwards { return false }
        try expect(found.identity, is: .nobody, in: situation)
        return true
    }
}
