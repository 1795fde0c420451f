import CMultiIdentity

/// The address of the value of this thread's innermost binding, so that bindings inside it need no push.
///
/// A push outside tasks takes two allocations and some 450 instructions. The bound value is one word, and can be
/// overwritten in place for a nested scope, or for each piece of work of a batch:
///
/// - On a thread that runs no task, bindings belong to that thread alone. They are read only there, and each read
///   copies the value. A task that starts there copies it too, when it is created. So no one sees the change.
/// - The address is valid as long as the binding exists, and bindings end in order: anything bound in the meantime is
///   pushed above it, and is gone before the next write.
/// - The original value is restored before the binding ends, and so the pop releases it once.
///
/// Once per process, a trial checks that the runtime gives the address, and that a value written there is the one that
/// is read; if it fails, each scope pushes.
struct BindingPlace {
    /// The address of a snapshot, written as the word that a snapshot is.
    private let place: UnsafeMutablePointer<UInt>

    private init(_ place: UnsafeMutablePointer<UInt>) { self.place = place }

    /// The address of the innermost binding here; `nil` if nothing is bound, or the binding is hidden as in an `isolated deinit`.
    static var innermost: BindingPlace? { mi_bound_get().map { BindingPlace(UnsafeMutablePointer(mutating: $0)) } }

    /// The innermost binding's address if it may be overwritten: outside tasks, if the trial has passed.
    static var settable: BindingPlace? { mi_bound_can_be_set() ? innermost : nil }

    /// Returns whether it contains these bits, as it does if it is the binding that the mirror shows.
    func holds(_ bits: UInt) -> Bool { place.pointee == bits }

    /// Makes the binding last as long as its thread, if nothing is bound beneath it; returns whether it now does.
    func becomeLasting() -> Bool { mi_bound_beneath(place) == 0 && mi_bound_become_lasting(place) }

    /// Stores these bits and returns the former ones; the references move with the bits.
    func exchange(_ bits: UInt) -> UInt {
        defer { place.pointee = bits }
        return place.pointee
    }

    /// True if this runtime provides such addresses.
    static var isHere: Bool {
        _ = IdentitySnapshot.bound
        return !mi_task_runs() && mi_bound_can_be_set()
    }

    /// Binds the current value once more, and passes its address to `body`; does nothing unless ``isHere``.
    static func withPlace<Value>(_ body: (BindingPlace) -> Value) -> Value? {
        ThreadMirror.current().bind { () -> Value? in settable.map(body) }
    }

    /// Runs `work` with `snapshot` bound, as `snapshot.bind` does, and then reinstates what was bound before.
    ///
    /// In the meantime the place contains a snapshot that it does not own: the caller's, which lives as long as this
    /// call. The owned value is restored before anyone can end the binding.
    func bind(_ snapshot: borrowing IdentitySnapshot, for work: () -> Void) {
        let outer = place.pointee
        let bits = ThreadMirror.bits(of: snapshot)
        place.pointee = bits ^ ThreadMirror.bitsOfNothing
        let shown = ThreadMirror.show(bits)
        work()
        _ = ThreadMirror.show(shown)
        place.pointee = outer
    }

    /// The results of a trial with two bindings, so that the inner one's address is not mistaken for the outer one's.
    ///
    /// It uses `withValue`, which knows neither addresses nor the mirror; no foreign code runs in the meantime.
    struct Trial {
        /// True if a binding's value is where the runtime says, and can be overwritten there.
        private(set) var isSettable = false
        /// True if the preceding words are the binding beneath, the binding's key, and the value's type.
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
