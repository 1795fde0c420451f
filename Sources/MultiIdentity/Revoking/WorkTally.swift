import Synchronization

/// The counts of one name, and whether it is revoked, in one word: the instruction that counts beginning work also reads
/// whether it may begin.
struct WorkTally: Sendable {
    var word: UInt64

    // From the lowest bit: running work (32), number of revocations (29), whether a drain waits for the end of the running work
    // (1), the reason of the revocation (1), and whether it is revoked now (1). Neither count can overflow: neither that much
    // work fits into memory, nor that many revocations into a life.
    static let runOnce: UInt64 = 1
    private static let runningMask: UInt64 = 0xFFFF_FFFF
    private static let generationShift: UInt64 = 32
    private static let generationMask: UInt64 = 0x1FFF_FFFF
    private static let waitedFor: UInt64 = 1 << 61
    private static let wiped: UInt64 = 1 << 62
    private static let revoked: UInt64 = 1 << 63

    var running: Int { Int(word & Self.runningMask) }
    /// Grows with each revocation: work of an earlier generation never comes back.
    var generation: UInt32 { UInt32(word >> Self.generationShift & Self.generationMask) }
    var isRevoked: Bool { word & Self.revoked != 0 }
    var isWaitedFor: Bool { word & Self.waitedFor != 0 }
    /// The reason of the last revocation.
    var reason: IdentityRevocation.Reason { word & Self.wiped != 0 ? .wiped : .signedOut }

    /// One revocation of the name; revoking it for a stronger reason is another one.
    struct Revocation: Equatable, Sendable { fileprivate let bits: UInt64 }

    var lastRevocation: Revocation {
        Revocation(bits: word & (Self.generationMask << Self.generationShift | Self.wiped))
    }

    /// Returns whether work of `generation` may not begin.
    func keepsOut(_ generation: UInt32) -> Bool { isRevoked || self.generation != generation }

    /// Returns the tally as revoked, for the stronger of both reasons if it already was.
    func revoked(for reason: IdentityRevocation.Reason) -> WorkTally {
        var tally = self
        if !isRevoked {
            let generation = (UInt64(generation) + 1) & Self.generationMask
            tally.word &= ~(Self.generationMask << Self.generationShift | Self.wiped)
            tally.word |= generation << Self.generationShift | Self.revoked
        }
        if reason == .wiped { tally.word |= Self.wiped }
        return tally
    }

    /// The tally without the revocation; captures made before it stay revoked.
    var readmitted: WorkTally { WorkTally(word: word & ~Self.revoked) }

    /// Returns the tally with or without a wait: the work that ends last wakes those that wait.
    func waitedFor(_ isWaitedFor: Bool) -> WorkTally {
        WorkTally(word: isWaitedFor ? word | Self.waitedFor : word & ~Self.waitedFor)
    }
}

extension IdentityRecord {
    var tally: WorkTally { WorkTally(word: work.load(ordering: .acquiring)) }

    var captures: Int { captured.load(ordering: .relaxed) }

    func captureBegins() { captured.wrappingAdd(1, ordering: .relaxed) }

    func captureEnds() { captured.wrappingSubtract(1, ordering: .relaxed) }

    /// Counts work that begins, and returns the former tally: a revocation comes before, or has to wait for the work.
    func workBegins() -> WorkTally {
        WorkTally(word: work.wrappingAdd(WorkTally.runOnce, ordering: .acquiringAndReleasing).oldValue)
    }

    /// Counts work that has ended, or was counted and then refused.
    func workEnds() {
        let before = WorkTally(word: work.wrappingSubtract(WorkTally.runOnce, ordering: .releasing).oldValue)
        if before.isWaitedFor, before.running == 1 { IdleWait.wake(self) }
    }

    /// Changes whether the name is revoked, and returns the former tally.
    @discardableResult
    func change(_ change: (WorkTally) -> WorkTally) -> WorkTally {
        var old = tally
        while true {
            let (isExchanged, found) = work.compareExchange(
                expected: old.word,
                desired: change(old).word,
                ordering: .sequentiallyConsistent  // as in ``OngoingWork`` for work that it hands over
            )
            if isExchanged { return old }
            old.word = found
        }
    }
}
