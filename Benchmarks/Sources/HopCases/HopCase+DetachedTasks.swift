import MultiIdentity

/// Detached tasks, each of which starts the next one: there is one at a time, so one worker runs them all.
extension HopCase {
    static let detachedCases = [
        HopCase("task-detached", "raw") { .chained { chain in Task.detached { chain.goOn() } } },
        HopCase("task-detached", "handwritten", .user, parts: handwrittenDetached),
        HopCase("task-detached", "floor", .user) { .chained { chain in detachAsUser { chain.goOn() } } },
        HopCase("task-detached", "carried", .identity, parts: carriedDetached),
        HopCase("task-detached", "carried-unbound", parts: carriedDetached),
        // A snapshot that is restored in a plain detached task.
        HopCase("snapshot-restore-async", "raw") { .chained { chain in Task.detached { chain.goOn() } } },
        HopCase("snapshot-restore-async", "handwritten", .user, parts: handwrittenDetached),
        HopCase("snapshot-restore-async", "floor", .user) {
            .chained { chain in
                let user = Handwritten.user
                Task.detached { await restoreUser(user) { () async in chain.goOn() } }
            }
        },
        HopCase("snapshot-restore-async", "carried", .identity, parts: restoredDetached),
        HopCase("snapshot-restore-async", "carried-unbound", parts: restoredDetached),
    ]

    /// The minimum cost of a function that takes the work as a closure.
    @inline(never)
    private static func detachAsUser(_ work: sending @escaping @isolated(any) () async -> Void) {
        let user = Handwritten.user
        Task.detached { await Handwritten.$user.withValue(user) { () async in await work() } }
    }

    @inline(never)
    private static func restoreUser(
        isolation: isolated (any Actor)? = #isolation,
        _ user: User?,
        _ work: nonisolated(nonsending) () async -> Void
    ) async {
        await Handwritten.$user.withValue(user) {
            _ = isolation
            await work()
        }
    }

    private static let handwrittenDetached: @Sendable () -> HopParts = {
        .chained { chain in
            let user = Handwritten.user
            Task.detached { await Handwritten.$user.withValue(user) { () async in chain.goOn() } }
        }
    }

    private static let carriedDetached: @Sendable () -> HopParts = {
        .chained { chain in Task.propagatingIdentity.detached { chain.goOn() } }
    }

    private static let restoredDetached: @Sendable () -> HopParts = {
        .chained { chain in
            let snapshot = IdentitySnapshot.capture()
            Task.detached { await snapshot.restore { () async in chain.goOn() } }
        }
    }

    /// The restore by itself, in one task; `handwritten` is the bare task-local.
    static let restoreCases = [
        HopCase("restore-async", "handwritten", .user) {
            let (counter, user) = (Counter(), User(name: "grace@contoso.com"))
            return .inOneTask { await Handwritten.$user.withValue(user) { () async in counter.value += 1 } }
        },
        HopCase("restore-async", "carried", .identity) {
            let (counter, snapshot) = (Counter(), IdentitySnapshot(of: try? Identity("grace@contoso.com")))
            return .inOneTask { await snapshot.restore { () async in counter.value += 1 } }
        },
        HopCase("scope-async", "handwritten", .user) {
            let (counter, user) = (Counter(), User(name: "grace@contoso.com"))
            return .inOneTask { await Handwritten.$user.withValue(user) { () async in counter.value += 1 } }
        },
        HopCase("scope-async", "carried", .identity) {
            let (counter, identity) = (Counter(), try? Identity("grace@contoso.com"))
            return .inOneTask { await withIdentity(identity) { () async in counter.value += 1 } }
        },
    ]
}
