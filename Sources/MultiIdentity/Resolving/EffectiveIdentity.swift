/// Whom work counts as, here and now: the first level that is set.
///
/// | for | the first that is set of |
/// | --- | --- |
/// | UI work | thread; UI, only on main; process; else none |
/// | file work | thread; process; else none |
///
/// ```swift
/// let effective = EffectiveIdentity.current(for: .files)
/// effective.identity  // Optional(ada@contoso.com)
/// effective.level     // Optional(.thread)
/// print(effective.explanation)
/// ```
public struct EffectiveIdentity: Sendable {
    /// What is about to be done.
    public enum Purpose: Hashable, Sendable, CaseIterable {
        /// Showing something to a user or asking one.
        case ui
        /// Reading or writing files.
        case files
    }

    /// Where an identity can stand.
    public enum Level: Hashable, Sendable, CaseIterable {
        /// The current thread's; in asynchronous code, the current task's.
        case thread
        /// What the main thread shows and asks.
        case ui
        /// The whole process's.
        case process
    }

    /// What the work is about.
    public let purpose: Purpose

    let resolution: Resolution
    let snapshot: IdentitySnapshot

    /// The identity that work counts as: nobody where nobody was decided, `nil` where no level is set.
    public var identity: Identity? { resolution.identity }

    /// The level that decided, or `nil` where none is set.
    public var level: Level? { resolution.level }

    /// Whom work counts as, here and now.
    ///
    /// - Parameter purpose: What is about to be done.
    /// - Returns: The identity, and the level that decided.
    /// - Complexity: O(1).
    public static func current(for purpose: Purpose) -> EffectiveIdentity {
        let snapshot = ThreadMirror.current()
        let resolution = Resolution.resolve(for: purpose, from: LiveLevels(snapshot: snapshot))
        if resolution.identity == nil, BindingFeatures.inUse.contains(.strictness) {
            StrictMode.tellNone("The effective identity was asked for", .reads, nil, snapshot)
        }
        return EffectiveIdentity(purpose: purpose, resolution: resolution, snapshot: snapshot)
    }

    /// Why: what each level held, which one decided, and what has changed since; worked out when it is asked for.
    public var explanation: Explanation { Explanation(of: self) }
}

extension EffectiveIdentity: Hashable {
    /// Whether both name the same identity, decided by the same level, for the same purpose.
    public static func == (one: EffectiveIdentity, other: EffectiveIdentity) -> Bool {
        one.identity == other.identity && one.level == other.level && one.purpose == other.purpose
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(level)
        hasher.combine(purpose)
    }
}

/// The levels as they stand under a snapshot.
private struct LiveLevels: LevelValues {
    let snapshot: IdentitySnapshot

    var thread: Identity? { snapshot.identity }
    var ui: Identity? { snapshot.levels.ui }
    var process: Identity? { snapshot.levels.process }
    var isOnMain: Bool { snapshot.levels.mainProbe() }
}
