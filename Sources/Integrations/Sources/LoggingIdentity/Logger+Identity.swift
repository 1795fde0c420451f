#if Logging
public import Logging
public import MultiIdentity

extension Logger {
    /// Makes each line of this logger name its current identity, unless the metadata provider already does.
    ///
    /// A program whose bootstrap passes `metadataProvider: .identity` does not need this. Log handlers without support for
    /// metadata providers get the identity that is current at this call.
    public mutating func nameIdentity() {
        guard Identity.current != nil else { return }
        var provider = MetadataProvider.identity
        if let own = metadataProvider {
            if own.get()["identity"] != nil { return }
            provider = MetadataProvider { own.get().merging(MetadataProvider.identity.get()) { $1 } }
        }
        // An assignment of a longer expression sets the protocol's default, which does nothing (Swift 6.3).
        handler.metadataProvider = provider
        guard metadataProvider == nil else { return }
        for (key, value) in MetadataProvider.identity.get() { self[metadataKey: key] = value }
    }
}

extension IdentityCompanions {
    /// Makes `Logger.current` cross every boundary with the identity, as bound by `withLogger` at the hand-over.
    ///
    /// swift-log keeps it in its own task-local, which queues, operations and timers lose.
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
