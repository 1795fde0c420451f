import Synchronization

/// The standing of a binding towards the revocation of its identity; one word in the frame.
enum WorkStanding: Sendable {
    /// Nothing is known: it was bound or captured while revocation was off, or for nobody.
    case unknown
    /// It was captured, to be restored.
    case captured(CapturedWork)
    /// It began, or was captured in work that did and runs once: all such captures share the frame of that.
    case ongoing(OngoingWork)
    /// It is nobody's, or nothing is bound, inside this work of the same task or thread.
    case inside(OngoingWork)
    /// It runs under nobody, since its owner was revoked before it began.
    case revoked(RevokedWork)

    /// The work that began, which this keeps.
    var ongoing: Borrowed<OngoingWork>? { if case .ongoing(let work) = self { Borrowed(work) } else { nil } }

    var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

/// The owner of revoked work behind one reference.
final class RevokedWork: Sendable {
    let owner: RevokedOwner

    init(_ owner: RevokedOwner) { self.owner = owner }

    convenience init(of identity: Identity, for reason: IdentityRevocation.Reason) {
        self.init(RevokedOwner(of: identity, for: reason))
    }
}

/// A capture that may still be restored: counted for its name for as long as it is referred to, or until the one piece of work
/// that it is for begins.
final class CapturedWork: Sendable {
    let record: IdentityRecord
    let generation: UInt32
    /// True if the capturing code waits for the work: then it is a part of what runs already.
    let isPartOfCaller: Bool
    private let hasEnded = Atomic(false)

    init(of record: IdentityRecord, _ generation: UInt32, isPartOfCaller: Bool) {
        self.record = record
        self.generation = generation
        self.isPartOfCaller = isPartOfCaller
        record.captureBegins()
    }

    func end() {
        if !hasEnded.exchange(true, ordering: .relaxed) { record.captureEnds() }
    }

    deinit { end() }
}
