import Hummingbird
import Logging

/// The facts about a request while it is served.
struct TenantContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The verified token; ``VerifiedToken/none`` until it has been verified.
    var token = VerifiedToken.none
    /// The object that the places of work ask.
    var caller = Caller.carried
    /// The client's name for this request.
    var marker = Marker.none

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
    }

    /// The request's work, for whatever does a part of it.
    var errand: Errand { Errand(caller: caller, marker: marker, logger: logger) }
}
