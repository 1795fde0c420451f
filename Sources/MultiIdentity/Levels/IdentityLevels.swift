import Synchronization

/// The process and UI levels, for code that runs under them; the third level, the thread's, is bound by scopes.
///
/// A process has one set, ``shared``. A test takes levels of its own with `withIdentityLevels`,
/// so that tests run in parallel; they travel with the thread level across every boundary, and are read live.
///
/// Each level holds unset (`nil`), nobody, or a named identity. All start unset.
public final class IdentityLevels: Sendable {
    /// The levels of the process.
    public static let shared = IdentityLevels()

    let processLevel: Level
    let uiLevel: UILevel
    private let probe: Locked<MainProbe>
    let holderReferences = Locked<[HolderReference]>([])
    /// Settings of what is looked for in work under these levels, and whom to notify.
    public let diagnostics = IdentityDiagnostics()

    /// Levels of one's own.
    ///
    /// - Parameters:
    ///   - process: What the process level holds at first.
    ///   - ui: What the UI level holds at first.
    ///   - mainProbe: Returns whether the code that calls it, under these levels, runs on main; `nil` for main as the system
    ///     has it. Tests, and hosts with a main of their own, give one.
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

    /// The identity of what the main thread shows and asks; read and set atomically, from any thread.
    ///
    /// It counts for UI work on main only, never for files. While `Accounts` have policies in force on these levels, or an
    /// `IdentitySwitcher` serves them, a managed identity comes here by a switch alone: setting one directly, or one that is
    /// revoked, changes nothing, and is reported to ``diagnostics``.
    public var ui: Identity? {
        get { uiLevel.identity }
        set {
            if !uiLevel.setDirectly(newValue) { notifyOfDirectSetting(newValue) }
        }
    }

    /// Returns whether the code that calls it, under these levels, runs on main; asked each time.
    ///
    /// The system's main is the main thread, what the main dispatch queue or the main actor runs (on Linux a worker thread may
    /// do that), and what such code runs through ``IdentityQueue/sync(execute:)->_``. It needs no main run loop.
    public var mainProbe: @Sendable () -> Bool {
        get { probe.withLock { $0 }.isOnMain }
        set {
            // The old probe is dropped outside the lock: what it captured may ask for levels as it goes.
            _ = probe.withLock { probe in
                let old = probe
                probe = MainProbe(isOnMain: newValue)
                return old
            }
        }
    }

    /// The levels in force here: ``shared``, unless somebody has levels of their own.
    public static var current: IdentityLevels { ThreadMirror.current().levels }
}

extension IdentityLevels {
    /// One level: its identity behind a lock, and beside it whether there is any, so that an unset level costs one load.
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
                // The old identity is dropped outside the lock: its end may take other locks.
                _ = stored.withLock { stored in
                    let old = stored
                    stored = newValue
                    isSet.store(newValue != nil, ordering: .releasing)
                    return old
                }
            }
        }

        /// Sets the level, if it holds an identity.
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
