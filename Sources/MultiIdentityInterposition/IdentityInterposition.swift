#if os(Linux)
import CMultiIdentity
import CMultiIdentityInterposition
import MultiIdentity
import Synchronization

/// Automatic mode: plain Dispatch and `OperationQueue` calls carry identity, wherever in the program they stand.
///
/// To link this product is to turn it on; nothing is called, nothing is changed:
///
/// ```swift
/// import MultiIdentityInterposition
///
/// withIdentity(ada) { DispatchQueue.global().async { audit("done") } }  // as ada
/// ```
///
/// It takes the place of libdispatch's entry points. Where it cannot, as in a program that is linked statically, it says so
/// on standard error at the start and leaves everything as it was: ``status`` and ``required()`` tell. A process that is
/// started with `MULTI_IDENTITY_AUTOMATIC=off` in its environment leaves it off. It sees who hands work over, and not for whom:
/// with `only-shown` there, nothing is decided by what it captured (`IdentityInference`).
public enum IdentityInterposition: Sendable {
    /// The state of automatic mode: whether plain calls carry identity.
    public enum Status: Hashable, Sendable {
        /// They do.
        case active
        /// They do not, since somebody turned it off: ``IdentityInterposition/turnOff()``, or the environment.
        case off
        /// They cannot, for this reason.
        case refused(String)
    }

    /// The state of automatic mode, now: whether plain calls carry identity.
    public static var status: Status {
        if mi_automatic_is_on() { return .active }
        return readiness.withLock { if case .refused(let reason) = $0 { .refused(reason) } else { .off } }
    }

    /// The entry points of libdispatch that were seen to be taken over, by their C names; none where it is not active.
    ///
    /// Those that Swift's Dispatch does not call, as the forms that take C functions, are taken over as well and not listed.
    public static var entryPoints: [String] { status == .active ? InterpositionTrial.held : [] }

    /// Says why where plain calls carry no identity, for programs that rely on it.
    ///
    /// - Throws: ``IdentityInterpositionError``, with what to do.
    public static func required() throws(IdentityInterpositionError) {
        switch status {
        case .active: return
        case .off: throw .off
        case .refused(let reason): throw .refused(reason)
        }
    }

    /// Captures no more; what was captured before is restored all the same.
    public static func turnOff() { readiness.withLock { _ in mi_automatic_turn_off() } }

    /// Captures again, after ``turnOff()`` or where the environment turned it off.
    ///
    /// Where it is active already, this changes nothing, and no other thread's call goes uncarried meanwhile.
    ///
    /// - Throws: ``IdentityInterpositionError`` with `.refused` where it cannot.
    public static func turnOn() throws(IdentityInterpositionError) {
        if let reason = turnOnIfHeld() { throw .refused(reason) }
    }

    private enum Readiness: Sendable {
        case untried, ready
        case refused(String)
    }

    /// Also the lock under which it is turned on and off.
    private static let readiness = Mutex(Readiness.untried)

    /// Returns why it cannot.
    @discardableResult
    private static func turnOnIfHeld() -> String? {
        readiness.withLock { readiness in
            if case .untried = readiness { readiness = setUp() }
            if case .refused(let reason) = readiness { return reason }
            mi_automatic_turn_on()
            return nil
        }
    }

    /// Once, since other threads read what it finds.
    private static func setUp() -> Readiness {
        let linking = "the program has to be linked dynamically with the Swift runtime"
        if let missing = mi_automatic_prepare() {
            return refusal("no library of this process is known to define \(String(cString: missing)); \(linking)")
        }
        let missed = InterpositionTrial.missed()
        if !missed.isEmpty { return refusal("calls do not come by: \(missed.joined(separator: ", ")); \(linking)") }
        InterpositionTrial.findTask()
        mi_automatic_set_up(
            InterpositionHooks.all,
            CapturedWord.ofNothing,
            CapturedWord.addressBits,
            CapturedWord.featuresInCaptures,
            CapturedWord.featuresInCapturesOfSomebody
        )
        return .ready
    }

    private static func refusal(_ reason: String) -> Readiness {
        let message = "MultiIdentityInterposition is not active: \(reason). Plain Dispatch calls carry no identity.\n"
        var text = message
        text.withUTF8 { mi_write_error($0.baseAddress, $0.count) }
        return .refused(reason)
    }

    /// Does at the start what the environment asks for; C calls it before `main`.
    fileprivate static func start(_ asked: String?) {
        switch asked {
        case "off": return
        case nil, "", "on": break
        case "marked": IdentityInference.effect = .isMarked
        case "only-shown": IdentityInference.effect = .isOnlyShown
        case let other?:
            let known = "on, off, marked and only-shown"
            let reason = "MULTI_IDENTITY_AUTOMATIC is \(other.debugDescription), and what it can be is \(known)"
            return readiness.withLock { $0 = refusal(reason) }
        }
        turnOnIfHeld()
    }
}

@_cdecl("mi_automatic_start")
func startInterposition(_ asked: UnsafePointer<CChar>?) {
    IdentityInterposition.start(asked.map { String(cString: $0) })
}
#else
/// Automatic mode, which is there on Linux only: use `propagatingIdentity` here.
///
/// A program that is linked with it all the same says at the start that it is not active.
@available(*, unavailable, message: "Automatic mode is there on Linux only. Use propagatingIdentity here.")
public enum IdentityInterposition: Sendable {}
#endif
