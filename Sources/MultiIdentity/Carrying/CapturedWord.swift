import CMultiIdentity

/// A captured snapshot, as the one word that C keeps it in, with one reference to it.
package enum CapturedWord: Sendable {
    /// The word of a thread level that holds nothing.
    package static var ofNothing: UInt { ThreadMirror.bitsOfNothing }

    /// The bits of a word that are an address: of the one object that it keeps, if it keeps any.
    ///
    /// The others say which case it is.
    package static let addressBits: UInt = {
        let frame = OriginFrame(BindingFrameContents(identity: nil))
        let ofFrame = ThreadMirror.bits(of: IdentitySnapshot(.frame(frame))) ^ ofNothing
        let nobody = ThreadMirror.bits(of: IdentitySnapshot(.identity(.nobody))) ^ ofNothing
        return ~(ofNothing | ofFrame ^ address(of: frame) | nobody ^ address(of: Identity.nobody.spelling))
    }()

    private static func address(of object: AnyObject) -> UInt {
        UInt(bitPattern: Borrowed(object).address)
    }

    /// The bits of the features for which a capture does more than read the thread level (`mi_frame_features`).
    ///
    /// Where the mirror is not asked, C asks Swift.
    package static var featuresInCaptures: UInt32 {
        BindingFeatures.beyondPlain.subtracting(.inference).union(.copiedBindings).rawValue
    }

    /// The same where somebody is bound.
    package static var featuresInCapturesOfSomebody: UInt32 {
        featuresInCaptures | BindingFeatures.inference.rawValue
    }

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
        if case .plain = Route.here {
            IdentitySnapshot.bind(takingOver: word, for: work)
        } else {
            BoundaryCapture(of: IdentitySnapshot(takingOver: word).vouchedFor, at: boundary()).restoreOnce(work)
        }
    }

    /// Runs `work` as the captured identity; the word's holder keeps the reference.
    @inline(__always)
    package static func runKept(_ word: UInt, at boundary: () -> IdentityBoundary, _ work: () -> Void) {
        let snapshot = ThreadMirror.snapshot(of: word ^ ThreadMirror.bitsOfNothing)
        if case .plain = Route.here {
            if ThreadMirror.shows(snapshot) { work() } else { snapshot.bindForWork(work) }
        } else {
            BoundaryCapture(of: snapshot.vouchedFor, at: boundary()).restore(work)
        }
    }

    /// The function that libdispatch calls for work that one of the wrappers handed over.
    package static var runWorkBox: @convention(c) (UnsafeMutableRawPointer?) -> Void { WorkBox.runGivenUp }

    /// Gives the reference back.
    package static func release(_ word: UInt) { IdentitySnapshot.release(word) }
}
