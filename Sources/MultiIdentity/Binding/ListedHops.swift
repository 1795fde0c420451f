import CMultiIdentity

/// The plain hops that brought work here, which only automatic mode carried: reads of the identity count for each of them.
package enum ListedHops: Sendable {
    /// The address of a place's count of reads, which is never freed.
    package typealias Reads = UInt

    /// The number of hops that are remembered: more differing places in one chain of work are rare.
    fileprivate static let limit = 32
}

extension IdentitySnapshot {
    /// Returns this as captured for a plain hop that would lose it; the same if there is nothing to lose.
    func behind(_ hop: () -> ListedHops.Reads?) -> IdentitySnapshot {
        guard hasAnythingToLose, let hop = hop() else { return self }
        let earlier = frame?.origin.contents.plainHops ?? []
        if earlier.contains(hop) { return self }
        var contents = contents ?? BindingFrameContents(identity: identity)
        contents.plainHops = earlier.suffix(ListedHops.limit - 1) + [hop]
        return contents.snapshot
    }

    private var hasAnythingToLose: Bool {
        guard let contents = frame?.origin.contents else { return identity != nil }
        return contents.identity != nil || contents.levels != nil || contents.companions?.isAnyBound == true
    }

    /// Counts a read of the identity for each plain hop that brought it here.
    func noteRead() { frame?.noteRead() }
}

extension BindingFrame {
    /// The identity that a binding of this shows to code that asks for it.
    @usableFromInline
    var identityRead: Identity? {
        noteRead()
        return identity
    }

    func noteRead() {
        guard let hops = origin.contents.plainHops else { return }
        for hop in hops { mi_count_shared(hop) }
    }
}
