#if GRPC
public import GRPCCore
import MultiIdentity
public import MultiIdentityCarriers

/// Runs each call as whom its metadata prove, to the last message of its answer; a call that proves nobody is refused.
///
/// A refused call gets `unauthenticated` and no reason, which may tell of keys and settings: `onRefusal` gets that. It reaches
/// no handler; nothing is bound.
public struct IdentityServerInterceptor<Verifier: IdentityVerifier>: ServerInterceptor {
    private let verifier: Verifier
    private let baggage: IdentityBaggage
    private let onRefusal: @Sendable (any Error, MethodDescriptor) -> Void

    /// An interceptor that believes what one verifier does.
    ///
    /// - Parameters:
    ///   - verifier: Decides whether a claim is believed.
    ///   - baggage: Which member of which metadata key carries the claim.
    ///   - onRefusal: Called with each call that is refused, and why, for logs and counters.
    public init(
        verifier: Verifier,
        baggage: IdentityBaggage = .standard,
        onRefusal: @escaping @Sendable (any Error, MethodDescriptor) -> Void = { _, _ in }
    ) {
        self.verifier = verifier
        self.baggage = baggage
        self.onRefusal = onRefusal
    }

    /// Verifies, binds, and goes on.
    public func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingServerRequest<Input>,
        context: ServerContext,
        next:
            @Sendable @concurrent (StreamingServerRequest<Input>, ServerContext) async throws ->
            StreamingServerResponse<Output>
    ) async throws -> StreamingServerResponse<Output> {
        let identity: Identity
        do {
            let claim = try baggage.extract(from: request.metadata, using: MetadataFields())
            guard let claim else { throw NoClaimError(baggage) }
            identity = try claim.verified(by: verifier)
        } catch {
            onRefusal(error, context.descriptor)
            throw RPCError(code: .unauthenticated, message: "Nobody is authenticated.")
        }
        var response = try await withIdentity(identity) { try await next(request, context) }
        if case .success(var contents) = response.accepted {
            // gRPC writes the answer after the handler has returned, outside the scope above.
            contents.producer = IdentitySnapshot(of: identity).wrap(contents.producer)
            response.accepted = .success(contents)
        }
        return response
    }
}

/// A call's metadata claim nothing about its identity.
public struct NoClaimError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that says what is missing.
    public let description: String

    init(_ baggage: IdentityBaggage) {
        description = "The metadata have no member \"\(baggage.member)\" in \"\(baggage.header)\"."
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"GRPC\"])")
#endif
