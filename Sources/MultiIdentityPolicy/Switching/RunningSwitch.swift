import Synchronization

/// A switch during its launch checks, as the code inside of them sees it.
final class RunningSwitch: Sendable {
    /// The switch that runs this code in a launch check, and whatever task-local values reach.
    @TaskLocal static var current: RunningSwitch?

    private let switcher: ObjectIdentifier
    /// The switch of another switcher: this one was asked for in its check.
    private let outer: RunningSwitch?
    private let isOver = Atomic(false)

    init(of switcher: IdentitySwitcher) {
        self.switcher = ObjectIdentifier(switcher)
        // Ended switches are skipped, so that a task that runs from check to check keeps no chain of them.
        var outer = Self.current
        while let one = outer, one.isOver.load(ordering: .acquiring) { outer = one.outer }
        self.outer = outer
    }

    func end() { isOver.store(true, ordering: .releasing) }

    /// Returns whether this code runs in a launch check of a switch that still runs there.
    static func isInside(_ switcher: IdentitySwitcher) -> Bool {
        var one = current
        while let running = one {
            let isOver = running.isOver.load(ordering: .acquiring)
            if !isOver, running.switcher == ObjectIdentifier(switcher) { return true }
            one = running.outer
        }
        return false
    }
}
