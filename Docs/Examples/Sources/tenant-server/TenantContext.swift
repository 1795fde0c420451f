import Hummingbird
import Logging
import MultiIdentity

/// What is known of a request while it is served.
struct TenantContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The user of the verified token; `nil` before ``Authenticator``.
    var user: Identity?

    init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
}
