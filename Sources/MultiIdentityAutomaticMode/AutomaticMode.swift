#if os(Linux)
import CMultiIdentity
import CMultiIdentityAutomaticMode
import MultiIdentity
import Synchronization

/// Automatic mode: plain Dispatch and `OperationQueue` calls carry identity, anywhere in the program.
///
/// Linking this product turns it on. There is nothing to call and no code to change:
///
/// ```swift
/// import MultiIdentityAutomaticMode
///
/// withIdentity(ada) { DispatchQueue.global().async { audit("done") } }  // as ada
/// ```
///
/// It replaces libdispatch's entry points. If it cannot, such as in a statically linked program, it writes the reason to standard
/// error at the start and changes nothing; check ``status`` or ``required()``. To start a process without it, set
/// `MULTI_IDENTITY_AUTOMATIC=off` in the environment. Automatic mode sees who hands work over, not who the work is for: with
/// `MULTI_IDENTITY_AUTOMATIC=only-shown`, the identities that it captures decide nothing (`IdentityInference`).
public enum AutomaticMode: Sendable {
    /// The state of automatic mode: whether plain calls carry identity.
    public enum Status: Hashable, Sendable {
        /// Plain calls carry identity.
        case active
        /// Automatic mode was turned off, by ``AutomaticMode/turnOff()`` or the environment.
        case off
        /// Plain calls cannot carry identity, for this reason.
        case refused(String)
    }

    /// The current state of automatic mode.
    public static var status: Status {
        if mi_automatic_is_on() { return .active }
        return readiness.withLock { if case .refused(let reason) = $0 { .refused(reason) } else { .off } }
    }

    /// The C names of the libdispatch entry points verified as replaced; empty if automatic mode is not active.
    ///
    /// Entry points that Swift's Dispatch does not call, such as those for C functions, are replaced too but not
    /// listed.
    public static var entryPoints: [String] { status == .active ? AutomaticModeTrial.held : [] }

    /// Throws if plain calls carry no identity, for programs that rely on it.
    ///
    /// - Throws: ``AutomaticModeError``, with what to do.
    public static func required() throws(AutomaticModeError) {
        switch status {
        case .active: return
        case .off: throw .off
        case .refused(let reason): throw .refused(reason)
        }
    }

    /// Stops capturing; earlier captures are still restored.
    public static func turnOff() { readiness.withLock { _ in mi_automatic_turn_off() } }

    /// Starts capturing again, after ``turnOff()`` or if the environment turned it off.
    ///
    /// If it is already active, nothing changes, and calls on other threads are carried throughout.
    ///
    /// - Throws: ``AutomaticModeError`` with `.refused` if it cannot.
    public static func turnOn() throws(AutomaticModeError) {
        if let reason = turnOnIfHeld() { throw .refused(reason) }
    }

    private enum Readiness: Sendable {
        case untried, ready
        case refused(String)
    }

    /// Also the lock under which it is turned on and off.
    private static let readiness = Mutex(Readiness.untried)

    /// Turns it on, or returns the reason if that is impossible.
    @discardableResult
    private static func turnOnIfHeld() -> String? {
        readiness.withLock { readiness in
            if case .untried = readiness { readiness = setUp() }
            if case .refused(let reason) = readiness { return reason }
            mi_automatic_turn_on()
            return nil
        }
    }

    /// Runs once, since other threads read its results.
    private static func setUp() -> Readiness {
        let linking = "link the program dynamically with the Swift runtime"
        if let missing = mi_automatic_prepare() {
            return refusal("no library of this process is known to define \(String(cString: missing)); \(linking)")
        }
        let missed = AutomaticModeTrial.missed()
        if !missed.isEmpty {
            return refusal("calls are not intercepted: \(missed.joined(separator: ", ")); \(linking)")
        }
        AutomaticModeTrial.findTask()
        mi_automatic_set_up(
            AutomaticModeHooks.all,
            CapturedWord.ofNothing,
            CapturedWord.addressBits,
            CapturedWord.featuresInCaptures,
            CapturedWord.featuresInCapturesOfSomebody,
            BindingFeatures.inTaskRuns.rawValue
        )
        return .ready
    }

    private static func refusal(_ reason: String) -> Readiness {
        let message = "MultiIdentityAutomaticMode is not active: \(reason). Plain Dispatch calls carry no identity.\n"
        var text = message
        text.withUTF8 { mi_write_error($0.baseAddress, $0.count) }
        return .refused(reason)
    }

    /// Applies the settings in the environment; C calls it before `main`.
    fileprivate static func start(_ asked: String?) {
        switch asked {
        case "off": return
        case nil, "", "on": break
        case "marked": IdentityInference.effect = .isMarked
        case "only-shown": IdentityInference.effect = .isOnlyShown
        case let other?:
            let known = "on, off, marked and only-shown"
            let reason = "MULTI_IDENTITY_AUTOMATIC is \(other.debugDescription); it can be \(known)"
            return readiness.withLock { $0 = refusal(reason) }
        }
        turnOnIfHeld()
    }
}

@_cdecl("mi_automatic_start")
func startInterposition(_ asked: UnsafePointer<CChar>?, _ listing: UnsafePointer<CChar>?) {
    AutomaticMode.start(asked.map { String(cString: $0) })
    if let listing { PlainHop.start(String(cString: listing)) }
}
#else
/// Automatic mode exists on Linux only; use `propagatingIdentity` on this platform.
///
/// A program that links it reports at its start that it is not active.
@available(*, unavailable, message: "Automatic mode exists on Linux only. Use propagatingIdentity here.")
public enum AutomaticMode: Sendable {}
#endif
