import Synchronization

/// The process and UI levels, for code that runs under them; the third level, the thread's, is bound by scopes.
///
/// A process has one set, ``shared``. A test binds custom levels with `withIdentityLevels`, so that tests run in parallel; they
/// cross every boundary with the thread level, and reads see their current values.
///
/// Each level is unset (`nil`), nobody, or a named identity. All start unset.
public final class IdentityLevels: Sendable {
    /// The levels of the process.
    public static let shared = IdentityLevels()

    let processLevel: Level
    let uiLevel: UILevel
    private let probe: Locked<MainProbe>
    let holderReferences = Locked<[HolderReference]>([])
    package let diagnosticSettings = DiagnosticSettings()

    /// Creates custom levels.
    ///
    /// - Parameters:
    ///   - process: The initial value of the process level.
    ///   - ui: The initial value of the UI level.
    ///   - mainProbe: Returns whether the code that calls it, under these levels, runs on main; `nil` for the system's main.
    ///     Tests, and hosts with a custom main, pass a closure.
    public init(process: Identity? = nil, ui: Identity? = nil, mainProbe: (@Sendable () -> Bool)? = nil) {
        processLevel = Level(process)
        uiLevel = UILevel(ui)
        probe = Locked(MainProbe(isOnMain: mainProbe ?? MainProbe.system))
    }

    /// The identity of the whole process; read and set atomically, from any thread.
    public var process: Identity? {
        get { processLevel.identity }
        set { processLevel.identity = newValue }
    }

    /// The identity that the main thread currently works for, in its UI; read and set atomically, from any thread.
    ///
    /// It counts only for UI work on main, never for files. While `Accounts` have policies in force on these levels, or an
    /// `IdentitySwitcher` serves them, only a switch can set a managed identity: setting one directly, or setting a revoked
    /// one, has no effect, and is reported to the levels' diagnostics.
    public var ui: Identity? {
        get { uiLevel.identity }
        set {
            if !uiLevel.setDirectly(newValue) { notifyOfDirectSetting(newValue) }
        }
    }

    /// A closure that returns whether its caller, under these levels, runs on main; called for each check.
    ///
    /// The system's main is the main thread, and the work of the main dispatch queue and the main actor (on Linux, a worker
    /// thread may run it), including work that it runs through ``IdentityQueue/sync(execute:)->_``. It needs no main run loop.
    public var mainProbe: @Sendable () -> Bool {
        get { probe.withLock { $0 }.isOnMain }
        set {
            // The old probe is released outside the lock: its captures may access levels when they are freed.
            _ = probe.withLock { probe in
                let old = probe
                probe = MainProbe(isOnMain: newValue)
                return old
            }
        }
    }

    /// The levels in force here: ``shared``, unless custom levels are bound.
    public static var current: IdentityLevels { ThreadMirror.current().levels }
}

extension IdentityLevels {
    /// One level: its identity behind a lock, and a flag whether it is set, so that an unset level costs one load.
    final class Level: Sendable {
        private let stored: Locked<Identity?>
        private let isSet: Atomic<Bool>

        init(_ identity: Identity?) {
            stored = Locked(identity)
            isSet = Atomic(identity != nil)
        }

        var identity: Identity? {
            get { isSet.load(ordering: .acquiring) ? stored.withLock { $0 } : nil }
            set {
                // The old identity is released outside the lock: its deinit may take other locks.
                _ = stored.withLock { stored in
                    let old = stored
                    stored = newValue
                    isSet.store(newValue != nil, ordering: .releasing)
                    return old
                }
            }
        }

        /// Sets the level, if it is this identity.
        func replace(_ identity: Identity, by other: Identity?) {
            _ = stored.withLock { stored -> Identity? in
                let old = stored
                guard old == identity else { return nil }
                stored = other
                isSet.store(other != nil, ordering: .releasing)
                return old
            }
        }
    }
}
