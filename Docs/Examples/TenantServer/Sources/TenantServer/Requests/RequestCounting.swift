import Hummingbird
import Metrics
import MetricsIdentity
import MultiIdentity

/// Counts requests by identity, for as many users as were named beforehand: all others are one.
struct RequestCounting: RouterMiddleware {
    let dimension: IdentityDimension
    let factory: any MetricsFactory

    /// - Parameters:
    ///   - identities: Those that get a count of their own.
    ///   - factory: The metrics' backend, or `nil` for the process's.
    init(naming identities: [Identity], factory: (any MetricsFactory)? = nil) {
        dimension = IdentityDimension(naming: identities)
        self.factory = factory ?? MetricsSystem.factory
    }

    func handle(
        _ request: Request,
        context: TenantContext,
        next: @concurrent (Request, TenantContext) async throws -> Response
    ) async throws -> Response {
        Counter(label: "tenant_requests", dimensions: [dimension.current], factory: factory).increment()
        return try await next(request, context)
    }
}
