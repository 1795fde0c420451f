import Synchronization

/// The state of a binding with respect to the revocation of its identity; one word in the frame.
enum WorkStanding: Sendable {
    /// Nothing is known: it was bound or captured while revocation was off, or for nobody.
    case unknown
    /// It was captured, to be restored.
    case captured(CapturedWork)
    /// It began, or it was captured in begun work and runs once: all such captures share the frame of that work.
    case ongoing(OngoingWork)
    /// It is a binding of nobody or of nothing, inside this work of the same task or thread.
    case inside(OngoingWork)
    /// It runs under nobody, since its owner was revoked before it began.
    case revoked(RevokedWork)

    /// The work that began, which this retains.
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

/// A capture that may still be restored: counted for its name as long as it is referenced, or until its one piece of work begins.
final class CapturedWork: Sendable {
    let record: IdentityRecord
    let generation: UInt32
    /// True if the capturing code waits for the work: then it is a part of work that already runs.
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
