import CMultiIdentity

/// A captured snapshot, as the one word that C keeps it in, with one reference to it.
package enum CapturedWord: Sendable {
    /// The word of a thread level that holds nothing.
    package static var ofNothing: UInt { ThreadMirror.bitsOfNothing }

    /// The bits of a word that are an address: of the one object that it keeps, if it keeps any.
    ///
    /// The others say which case it is.
    package static let addressBits: UInt = {
        func others(_ snapshot: IdentitySnapshot, of object: AnyObject) -> UInt {
            snapshot.word ^ UInt(bitPattern: Borrowed(object).address)
        }
        let frame = OriginFrame(BindingFrameContents(identity: nil))
        let ofFrames = others(IdentitySnapshot(.frame(frame)), of: frame)
        return ~(ofNothing | ofFrames | others(IdentitySnapshot(.identity(.nobody)), of: Identity.nobody.spelling))
    }()

    /// The bits of the features for which a capture does more than read the thread level (`mi_frame_features`).
    package static var featuresInCaptures: UInt32 { featuresInCapturesOfSomebody & ~BindingFeatures.inference.rawValue }

    /// The same where somebody is bound.
    package static var featuresInCapturesOfSomebody: UInt32 { BindingFeatures.askedByC.rawValue }

    /// Captures who is bound here, with a reference; which boundary it is and what the work is handed to is worked out only
    /// where somebody wants to know.
    @inline(__always)
    package static func captured(at boundary: () -> IdentityBoundary, of place: () -> String?) -> UInt {
        if case .plain = Route.here { return ThreadMirror.current().retainedBits() }
        let captured = BoundaryCapture(at: boundary(), of: place())
        if !BindingFeatures.inUse.contains(.inference) { return captured.snapshot.retainedBits() }
        return captured.snapshot.inferred(at: captured.boundary, of: place).retainedBits()
    }

    /// Runs `work` as the captured identity, and gives the reference back, outside the scope.
    @inline(__always)
    package static func run(_ word: UInt, at boundary: () -> IdentityBoundary, _ work: () -> Void) {
        if case .plain = Route.here { return IdentitySnapshot.bind(takingOver: word, for: work) }
        IdentitySnapshot(takingOver: word).vouchedFor.restoreObserved(at: boundary(), as: .once, work)
    }

    /// Runs `work` as the captured identity; the word's holder keeps the reference.
    @inline(__always)
    package static func runKept(_ word: UInt, at boundary: () -> IdentityBoundary, _ work: () -> Void) {
        let snapshot = IdentitySnapshot(word: word)
        if case .plain = Route.here { return snapshot.restorePlainly(work) }
        snapshot.vouchedFor.restoreObserved(at: boundary(), work)
    }

    /// The function that libdispatch calls for work that one of the wrappers handed over.
    package static var runWorkBox: @convention(c) (UnsafeMutableRawPointer?) -> Void { WorkBox.runGivenUp }

    /// Gives the reference back.
    package static func release(_ word: UInt) { IdentitySnapshot.release(word) }
}
