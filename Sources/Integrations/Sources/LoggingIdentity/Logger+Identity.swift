public import Logging
import MultiIdentity

extension Logger {
    /// Has each line of this logger name the identity that is current at the line, unless its metadata provider already does.
    ///
    /// A program whose bootstrap passes `metadataProvider: .identity` does not need this. Log handlers without support for
    /// metadata providers get the identity that is current at this call.
    public mutating func nameIdentity() {
        guard Identity.current != nil else { return }
        let provider = metadataProvider
        if provider?.get()["identity"] != nil { return }
        handler.metadataProvider = provider.flatMap { .multiplex([$0, .identity]) } ?? .identity
        guard handler.metadataProvider == nil else { return }
        for (key, value) in MetadataProvider.identity.get() { self[metadataKey: key] = value }
    }
}
