import CMultiIdentity
import Synchronization

/// Charges the time of this thread to the identity of the work that begins on it, until the work ends.
///
/// A record has the word of its identity's account, so that a hop looks nothing up. The accounts keep their identities alive, and
/// so the words: a new record at the address of an old one has none.
struct IdentityAccounting: Sendable {
    private let outer: UInt64

    /// Begins work of these bits, whose frame is the given one, and which was handed over then.
    @inline(__always)
    static func begin(
        _ captured: UInt,
        _ frame: Borrowed<BindingFrame>?,
        at boundary: IdentityBoundary,
        after handedOver: UInt32
    ) -> Self {
        let account =
            if let frame {
                frame.read { word(of: $0.origin.contents.identity) }
            } else {
                word(of: ThreadMirror.snapshot(of: captured).plainIdentity)
            }
        return IdentityAccounting(outer: mi_account_enter(mi_account_key(account, UInt32(boundary.index)), handedOver))
    }

    /// Begins work that was admitted, under nobody if its identity is revoked.
    static func begin(
        _ snapshot: IdentitySnapshot,
        at boundary: IdentityBoundary,
        after handedOver: UInt32 = 0
    ) -> Self {
        let bits = ThreadMirror.bits(of: snapshot)
        return begin(bits, ThreadMirror.frame(of: bits), at: boundary, after: handedOver)
    }

    /// Begins a scope; returns false if the time in it is its surroundings'.
    static func open(for identity: Identity?) -> Bool {
        mi_account_open(mi_account_key(word(of: identity), UInt32(mi_account_scope)))
    }

    /// Begins a run of a task with this bound; `nil`: of a job that is not known to be a task's.
    static func begin(runOf bound: IdentitySnapshot?) -> Self {
        guard let bound else {
            let jobs = mi_account_word(UInt32(mi_account_jobs))
            return IdentityAccounting(
                outer: mi_account_enter(mi_account_key(jobs, UInt32(IdentityBoundary.task.index)), 0)
            )
        }
        return begin(bound, at: .task)
    }

    /// Charges the rest of such a run to another identity, whose scope begins or goes on.
    static func change(to identity: Identity?, begins: Bool) {
        let key = mi_account_key(word(of: identity), UInt32(IdentityBoundary.task.index))
        if begins { _ = mi_account_enter(key, 0) } else { mi_account_leave(key) }
    }

    /// Charges the rest of what runs here to no one, unless it is charged to this identity.
    static func disown(unlessOf identity: Identity?) { mi_account_disown(word(of: identity)) }

    @inline(__always)
    func end() { if outer != .max { mi_account_leave(outer) } }

    @inline(__always)
    private static func word(of identity: Identity?) -> UInt64 {
        guard let identity else { return mi_account_word(UInt32(mi_account_unset)) }
        let record = Borrowed(identity.spelling.record)
        let word = record.read { $0.account.load(ordering: .relaxed) }
        return mi_account_is_current(word) ? word : claim(for: identity)
    }

    /// Gives an identity an account, or a share of the one for all others.
    @inline(never) @discardableResult
    static func claim(for identity: Identity, at now: UInt64 = mi_accounts_now()) -> UInt64 {
        let record = identity.spelling.record
        mi_accounts_lock()
        var (word, former): (UInt64, Identity?) = (record.account.load(ordering: .relaxed), nil)
        if !mi_account_is_current(word) {
            let slot = identity.isNobody ? UInt32(mi_account_nobody) : mi_account_claim(now)
            word = mi_account_word(slot)
            record.account.store(word, ordering: .relaxed)
            former = AccountHolders.shared.take(slot, for: identity)
        }
        mi_accounts_unlock()
        // Only now: an identity's deinit takes other locks.
        withExtendedLifetime(former) {}
        return word
    }
}

/// The identities that have an account, by its slot.
final class AccountHolders: @unchecked Sendable {
    // `@unchecked Sendable`: the lock of the accounts guards the array.
    static let shared = AccountHolders()

    private var identities = [Identity?](repeating: nil, count: mi_account_slots)

    /// Returns the former holder.
    ///
    /// Call it under the lock, and release that one outside.
    func take(_ slot: UInt32, for identity: Identity) -> Identity? {
        guard slot >= mi_account_first else { return nil }
        let former = identities[Int(slot)]
        identities[Int(slot)] = identity
        return former
    }

    subscript(slot: Int) -> Identity? { identities[slot] }
}
