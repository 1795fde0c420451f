import CMultiIdentity

/// A captured snapshot, as the one word in which C stores it, with one reference.
package enum CapturedWord: Sendable {
    /// The word of an unset thread level.
    package static var ofNothing: UInt { ThreadMirror.bitsOfNothing }

    /// The bits of a word that are an address: that of the one object that it retains, if any.
    ///
    /// The others encode the case.
    package static let addressBits: UInt = {
        func others(_ snapshot: IdentitySnapshot, of object: AnyObject) -> UInt {
            snapshot.word ^ UInt(bitPattern: Borrowed(object).address)
        }
        let frame = OriginFrame(BindingFrameContents(identity: nil))
        let ofFrames = others(IdentitySnapshot(.frame(frame)), of: frame)
        return ~(ofNothing | ofFrames | others(IdentitySnapshot(.identity(.nobody)), of: Identity.nobody.spelling))
    }()

    /// The bits of the features for which a capture does more than read the thread level (`mi_frame_features`).
    package static var featuresInCaptures: UInt32 { featuresInCapturesOfSomebody & ~ofSomebody.rawValue }
    private static var ofSomebody: BindingFeatures { [.inference, .plainHops] }

    /// The same bits while an identity is bound.
    package static var featuresInCapturesOfSomebody: UInt32 { BindingFeatures.askedByC.rawValue }

    /// Captures the current identity, with a reference; the boundary and the target are computed only if a feature needs them,
    /// and so is the plain hop.
    @inline(__always)
    package static func captured(
        at boundary: () -> IdentityBoundary,
        of place: () -> String?,
        by hop: () -> ListedHops.Reads? = { nil }
    ) -> UInt {
        if case .plain = Route.here { return ThreadMirror.current().retainedBits() }
        let captured = BoundaryCapture(at: boundary(), of: place())
        let (features, snapshot) = (BindingFeatures.inUse, captured.snapshot)
        if features.isDisjoint(with: ofSomebody) { return snapshot.retainedBits() }
        let marked = features.contains(.inference) ? snapshot.inferred(at: captured.boundary, of: place) : snapshot
        return (features.contains(.plainHops) ? marked.behind(hop) : marked).retainedBits()
    }

    /// Captures what was captured before again, for work that turned out to run where its caller's identity would be lost.
    package static func captured(_ word: UInt, by hop: () -> ListedHops.Reads?) -> UInt {
        IdentitySnapshot(word: word).behind(hop).retainedBits()
    }

    /// Runs `work` as the captured identity, and releases the reference, outside the scope.
    @inline(__always)
    package static func run(
        _ word: UInt,
        at boundary: () -> IdentityBoundary,
        after handedOver: UInt32 = 0,
        _ work: () -> Void
    ) {
        if Route.isPlainForWork { return IdentitySnapshot.bind(takingOver: word, for: work) }
        IdentitySnapshot(takingOver: word).vouchedFor.restoreObserved(
            at: boundary(),
            as: .once,
            after: handedOver,
            work
        )
    }

    /// Runs `work` as the captured identity; the word's owner keeps the reference.
    @inline(__always)
    package static func runKept(_ word: UInt, at boundary: () -> IdentityBoundary, _ work: () -> Void) {
        let snapshot = IdentitySnapshot(word: word)
        if Route.isPlainForWork { return snapshot.restorePlainly(work) }
        snapshot.vouchedFor.restoreObserved(at: boundary(), work)
    }

    /// The function that libdispatch calls for work from one of the wrappers.
    package static var runWorkBox: @convention(c) (UnsafeMutableRawPointer?) -> Void { WorkBox.runGivenUp }

    /// Releases the reference.
    package static func release(_ word: UInt) { IdentitySnapshot.release(word) }
}
