import CMultiIdentity

/// Where this thread's innermost binding of the store keeps its value, so that work of many identities can run one
/// after another under a single push.
///
/// A push outside tasks takes two allocations and some 450 instructions; a batch would pay them for each piece of work.
/// Its value is one word, and can be set anew where it stands:
///
/// - On a thread that runs no task, what is bound belongs to that thread alone. It is read there only, and each read
///   copies the value out. A task that starts there copies it too, when it is created. So nobody sees it change.
/// - The place is there for as long as the binding is. ``withPlace(_:)`` makes the binding and lends the place for the
///   length of a closure; whatever is bound inside that is pushed above it, and gone when it is set the next time.
/// - What stood there first is put back before the binding ends, and so is released once, by the pop.
///
/// That the runtime does give the place, and that what is set there is what is read, a trial shows once in a process.
struct BindingPlace {
    /// The place holds a snapshot; it is set as the word that a snapshot is.
    private let place: UnsafeMutablePointer<UInt>
    private let outer: UInt

    /// Whether there are such places here: outside tasks, with the runtime that the trial has found as expected.
    static var isHere: Bool { !mi_task_runs() && isFoundByTrial }

    /// Binds once more what is bound here, and lends its place to `body`.
    ///
    /// Only where there ``isHere`` one; `nil` where it is not found.
    static func withPlace<Value>(_ body: (BindingPlace) -> Value) -> Value? {
        ThreadMirror.current().bind { () -> Value? in
            guard let place = innermost else { return nil }
            return body(BindingPlace(place))
        }
    }

    private init(_ place: UnsafeMutablePointer<UInt>) {
        self.place = place
        outer = place.pointee
    }

    /// Runs `work` with `snapshot` bound, as `snapshot.bind` does, and then reinstates what was bound before.
    ///
    /// Meanwhile the place holds a snapshot that it does not own: the caller's, which lives as long as this call. What it
    /// owns is put back before anybody can end the binding.
    @inline(__always)
    func bind(_ snapshot: borrowing IdentitySnapshot, for work: () -> Void) {
        let bits = ThreadMirror.bits(of: snapshot)
        place.pointee = bits ^ ThreadMirror.bitsOfNothing
        let shown = ThreadMirror.show(bits)
        work()
        _ = ThreadMirror.show(shown)
        place.pointee = outer
    }

    private static var innermost: UnsafeMutablePointer<UInt>? {
        mi_bound_get().map { UnsafeMutablePointer(mutating: $0) }
    }

    private static let isFoundByTrial: Bool = {
        let (nothing, other) = (
            IdentitySnapshot(.nothing), IdentitySnapshot(.frame(BindingFrame(BindingFrameContents(identity: nil))))
        )
        return nothing.bind { () -> Bool in
            // Two pushes, so that the inner one's place is told from the outer one's.
            let isSetAndReset = other.bind { () -> Bool in
                guard isRead(other), let place = innermost,
                    place.pointee ^ ThreadMirror.bitsOfNothing == ThreadMirror.bits(of: other)
                else { return false }
                var isSet = false
                BindingPlace(place).bind(nothing) { isSet = isRead(nothing) }
                return isSet && isRead(other)
            }
            return isSetAndReset && isRead(nothing)
        }
    }()

    private static func isRead(_ snapshot: IdentitySnapshot) -> Bool {
        ThreadMirror.bits(of: IdentitySnapshot.bound.get()) == ThreadMirror.bits(of: snapshot)
    }
}
