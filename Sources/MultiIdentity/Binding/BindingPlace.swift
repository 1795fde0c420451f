import CMultiIdentity

/// The place of the value of this thread's innermost binding of the store, so that what is bound inside it needs no push.
///
/// A push outside tasks takes two allocations and some 450 instructions. The value that it binds is one word, and can be
/// set anew where it stands, for a scope inside another, and for each piece of work of a batch:
///
/// - On a thread that runs no task, what is bound belongs to that thread alone. It is read there only, and each read
///   copies the value out. A task that starts there copies it too, when it is created. So nobody sees it change.
/// - The place is there for as long as the binding is, and bindings end in order: whatever is bound meanwhile is pushed
///   above it, and gone when it is set the next time.
/// - What stood there first is put back before the binding ends, and so is released once, by the pop.
///
/// That the runtime does give the place, and that what is set there is what is read, a trial shows once in a process; where
/// it does not, each scope pushes.
struct BindingPlace {
    /// The place holds a snapshot; it is set as the word that a snapshot is.
    private let place: UnsafeMutablePointer<UInt>

    private init(_ place: UnsafeMutablePointer<UInt>) { self.place = place }

    /// The place of the innermost binding here; `nil` where nothing is bound, or hidden as in an `isolated deinit`.
    static var innermost: BindingPlace? { mi_bound_get().map { BindingPlace(UnsafeMutablePointer(mutating: $0)) } }

    /// The same where it may be set anew: outside tasks, if the trial has passed.
    static var settable: BindingPlace? { mi_bound_can_be_set() ? innermost : nil }

    /// Returns whether it holds these bits, as it does where it is the place of what the mirror shows.
    func holds(_ bits: UInt) -> Bool { place.pointee == bits }

    /// Makes the binding last as long as its thread, if nothing is bound beneath it; returns whether it now does.
    func becomeLasting() -> Bool { mi_bound_beneath(place) == 0 && mi_bound_become_lasting(place) }

    /// Stores these bits and returns the former ones; what both stand for goes with them.
    func exchange(_ bits: UInt) -> UInt {
        defer { place.pointee = bits }
        return place.pointee
    }

    /// True if there are such places here.
    static var isHere: Bool {
        _ = IdentitySnapshot.bound
        return !mi_task_runs() && mi_bound_can_be_set()
    }

    /// Binds what is bound here once more, and lends its place to `body`; only where there ``isHere`` one.
    static func withPlace<Value>(_ body: (BindingPlace) -> Value) -> Value? {
        ThreadMirror.current().bind { () -> Value? in settable.map(body) }
    }

    /// Runs `work` with `snapshot` bound, as `snapshot.bind` does, and then reinstates what was bound before.
    ///
    /// Meanwhile the place holds a snapshot that it does not own: the caller's, which lives as long as this call. What it
    /// owns is put back before anybody can end the binding.
    func bind(_ snapshot: borrowing IdentitySnapshot, for work: () -> Void) {
        let outer = place.pointee
        let bits = ThreadMirror.bits(of: snapshot)
        place.pointee = bits ^ ThreadMirror.bitsOfNothing
        let shown = ThreadMirror.show(bits)
        work()
        _ = ThreadMirror.show(shown)
        place.pointee = outer
    }

    /// The findings of a trial with two bindings, so that the inner one's place is not taken for the outer one's.
    ///
    /// By `withValue`, which knows nothing of places and of the mirror; nobody's code runs meanwhile.
    struct Trial {
        /// True if a binding's value stands where the runtime says, and can be set anew there.
        private(set) var isSettable = false
        /// True if the words before it are what lies beneath, the binding's key, and the value's type.
        private(set) var tellsWhatIsBeneath = false

        init(in store: TaskLocal<IdentitySnapshot>, _ key: UnsafeRawPointer, _ type: UnsafeRawPointer) {
            if mi_trials_fail() { return }
            let other = IdentitySnapshot(.frame(OriginFrame(BindingFrameContents(identity: nil))))
            store.withValue(.nothing) {
                guard let outer = innermost?.place else { return }
                store.withValue(other) {
                    guard Self.isRead(other, in: store), let place = innermost?.place, place != outer,
                        place.pointee ^ ThreadMirror.bitsOfNothing == ThreadMirror.bits(of: other)
                    else { return }
                    tellsWhatIsBeneath =
                        mi_bound_is_at(outer, key, type) && mi_bound_is_at(place, key, type)
                        && mi_bound_beneath(place) == UInt(bitPattern: outer - 3)
                    let kept = place.pointee
                    place.pointee = ThreadMirror.bitsOfNothing
                    isSettable = Self.isRead(.nothing, in: store)
                    place.pointee = kept
                    isSettable = isSettable && Self.isRead(other, in: store)
                }
                isSettable = isSettable && Self.isRead(.nothing, in: store)
            }
        }

        private static func isRead(_ snapshot: IdentitySnapshot, in store: TaskLocal<IdentitySnapshot>) -> Bool {
            ThreadMirror.bits(of: store.get()) == ThreadMirror.bits(of: snapshot)
        }
    }
}
