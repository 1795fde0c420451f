#if GRPC
public import GRPCCore
import MultiIdentity
public import MultiIdentityCarriers

/// Runs each call as the identity that its metadata prove, until the last message of its answer; refuses calls without proof, and
/// those of revoked identities (`IdentityRevocation`).
///
/// A refused call gets `unauthenticated` and no reason, which could reveal keys and settings: `onRefusal` gets the reason. The
/// call reaches no handler, and nothing is bound.
public struct IdentityServerInterceptor<Verifier: IdentityVerifier>: ServerInterceptor {
    private let verifier: Verifier
    private let baggage: IdentityBaggage
    private let methodsForRevoked: Set<MethodDescriptor>
    private let onRefusal: @Sendable (any Error, MethodDescriptor) -> Void

    /// Creates an interceptor with one verifier.
    ///
    /// - Parameters:
    ///   - verifier: Decides whether a claim is accepted.
    ///   - baggage: The metadata key and the member that carry the claim.
    ///   - methodsForRevoked: Methods that also run for revoked identities, such as those that remove an identity's data.
    ///   - onRefusal: Called with each refused call and the reason, for logs and counters.
    public init(
        verifier: Verifier,
        baggage: IdentityBaggage = .standard,
        methodsForRevoked: Set<MethodDescriptor> = [],
        onRefusal: @escaping @Sendable (any Error, MethodDescriptor) -> Void = { _, _ in }
    ) {
        self.verifier = verifier
        self.baggage = baggage
        self.methodsForRevoked = methodsForRevoked
        self.onRefusal = onRefusal
    }

    /// Verifies the claim, binds the identity, and continues.
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
            throw refusal(of: context.descriptor, error)
        }
        var response = try await withIdentity(identity) {
            // Inside the scope, which counts as work in flight: a drain waits for every admitted call.
            if !methodsForRevoked.contains(context.descriptor) {
                do { try IdentityRevocation.admit(identity) } catch {
                    throw withIdentity(nil) { refusal(of: context.descriptor, error) }
                }
            }
            return try await next(request, context)
        }
        if case .success(var contents) = response.accepted {
            // gRPC writes the answer after the handler has returned, outside the scope above.
            contents.producer = IdentitySnapshot(of: identity).wrap(contents.producer)
            response.accepted = .success(contents)
        }
        return response
    }

    private func refusal(of method: MethodDescriptor, _ reason: any Error) -> RPCError {
        onRefusal(reason, method)
        return RPCError(code: .unauthenticated, message: "Nobody is authenticated.")
    }
}

/// A call whose metadata have no claim of an identity.
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
