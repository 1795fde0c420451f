#if Logging
import Logging
public import MultiIdentity

extension IdentityCompanions {
    /// Has `Logger.current` cross every boundary with the identity, as `withLogger` bound it where work is handed over.
    ///
    /// swift-log keeps it in a task-local of its own, which a queue, an operation and a timer lose.
    public static func carryLogger() {
        carry("swift-log") {
            Logger.current
        } binding: { logger, work in
            withLogger(logger) { _ in work() }
        } bindingAsync: { logger, work in
            await withLogger(logger) { _ in await work() }
        }
    }
}
#endif
