public import GRPCCore
public import MultiIdentity

/// Captured when called: sends along, signed, whose work a call is.
///
/// A call with no identity bound is refused before it leaves: bind nobody for work that is nobody's.
public struct IdentityClientInterceptor: ClientInterceptor {
    private let signing: IdentitySigning
    private let baggage: IdentityBaggage

    /// An interceptor that signs for one service.
    ///
    /// - Parameters:
    ///   - signing: Signs, for the service that is called.
    ///   - baggage: Which member of which metadata key carries the claim.
    public init(signing: IdentitySigning, baggage: IdentityBaggage = .standard) {
        self.signing = signing
        self.baggage = baggage
    }

    /// Puts who is current into the metadata, whatever stood there.
    public func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingClientRequest<Input>,
        context: ClientContext,
        next: @concurrent (StreamingClientRequest<Input>, ClientContext) async throws -> StreamingClientResponse<Output>
    ) async throws -> StreamingClientResponse<Output> {
        var request = request
        do {
            try baggage.inject(Identity.required(), into: &request.metadata, using: MetadataFields(), signing: signing)
        } catch {
            throw RPCError(
                code: .unauthenticated,
                message: "\(context.descriptor) was not called: \(error)",
                cause: error
            )
        }
        return try await next(request, context)
    }
}
