public import MultiIdentity

/// Handles each message in its own scope, with the identity that its verified carrier names.
///
/// ```swift
/// let consumer = IdentityConsumer<Job>(
///     owner: { try await baggage.extract(from: $0.headers, using: HeaderFields())?.verified(by: verifier) },
///     acknowledge: { try await jobs.acknowledge($0) },
///     retry: { job, error in try await jobs.retry(job) },
///     deadLetter: { job, error in try await jobs.bury(job) }
/// )
/// try await consumer.consume(jobs) { job in try await handle(job) }
/// ```
///
/// The handler and the steps after it run as the message's owner. Messages are fetched as nobody, whichever identity started the
/// loop. A message with an unknown owner is never handled: it is dead-lettered, as nobody.
///
/// Cancelling the loop does not cancel the steps after a handler: they may continue for a grace period.
public struct IdentityConsumer<Message: Sendable>: Sendable {
    /// The action for a message after its handler threw.
    public enum AfterError: Hashable, Sendable {
        /// The message is redelivered.
        case retry
        /// The message is dead-lettered.
        case deadLetter
    }

    /// The outcome of one message.
    public enum Outcome: Hashable, Sendable {
        /// The message was handled and acknowledged.
        case acknowledged
        /// The message is redelivered: its handler threw, or the task was cancelled before its owner was known.
        case retried
        /// The handler threw, and the message was dead-lettered.
        case deadLettered
        /// The message was dead-lettered: its owner is unknown, unverified or revoked.
        ///
        /// An owner may be revoked while the handler runs.
        case refused
    }

    private let grace: GracePeriod
    private let owner: @Sendable (Message) async throws -> Identity?
    private let acknowledge: @Sendable (Message) async throws -> Void
    private let retry: @Sendable (Message, any Error) async throws -> Void
    private let deadLetter: @Sendable (Message, any Error) async throws -> Void
    private let afterError: @Sendable (Message, any Error) async -> AfterError

    /// Creates a consumer of messages.
    ///
    /// - Parameters:
    ///   - grace: How long the steps after a handler may continue once the task is cancelled. Then they are cancelled, and `consume`
    ///     throws ``LeaseError`` with `.exceededMaxDuration`.
    ///   - clock: The clock that measures the grace period.
    ///   - owner: Returns the verified owner of a message. Called as nobody. `nil` and an identity without `Identity.verification`
    ///     are refused; `.nobody` is a valid owner.
    ///   - acknowledge: Acknowledges a handled message; called as its owner.
    ///   - retry: Requests redelivery of a message; called as its owner, or as nobody if the task was cancelled before the owner was
    ///     known.
    ///   - deadLetter: Dead-letters a message; called as its owner, or as nobody if the owner is refused.
    ///   - afterError: Decides what happens to a message after its handler threw; called as its owner. The default is to retry.
    public init(
        grace: Duration = .seconds(30),
        clock: any Clock<Duration> = .continuous,
        owner: @escaping @Sendable (Message) async throws -> Identity?,
        acknowledge: @escaping @Sendable (Message) async throws -> Void,
        retry: @escaping @Sendable (Message, any Error) async throws -> Void,
        deadLetter: @escaping @Sendable (Message, any Error) async throws -> Void,
        afterError: @escaping @Sendable (Message, any Error) async -> AfterError = { _, _ in .retry }
    ) {
        self.grace = GracePeriod(time: grace, clock: LeaseClock(clock))
        self.owner = owner
        self.acknowledge = acknowledge
        self.retry = retry
        self.deadLetter = deadLetter
        self.afterError = afterError
    }

    /// Handles messages in sequence until there are no more or the task is cancelled.
    ///
    /// - Parameters:
    ///   - messages: The source of messages; the next one is requested as nobody.
    ///   - handle: Handles a message, as its owner.
    /// - Throws: The errors of the sequence, and those of handling a single message.
    public func consume<Messages: AsyncSequence>(
        _ messages: Messages,
        handle: @Sendable (Message) async throws -> Void
    ) async throws where Messages.Element == Message {
        if Task.isCancelled { return }
        try await withIdentity(.nobody) {
            for try await message in messages {
                // A message that was fetched during the cancellation is not dropped: its handler sees the cancellation and can throw.
                try await consume(message, handle: handle)
                if Task.isCancelled { return }
            }
        }
    }

    /// Handles one message as its owner, and returns the outcome.
    ///
    /// If the owner is revoked before the steps after the handler begin, the message is dead-lettered as nobody.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - handle: Handles the message, as its owner.
    /// - Returns: The outcome.
    /// - Throws: The errors of acknowledging, retrying and dead-lettering; ``LeaseError`` with `.exceededMaxDuration` if they take
    ///   longer than the grace period: then the fate of the message is unknown.
    @discardableResult
    public func consume(
        _ message: Message,
        handle: @Sendable (Message) async throws -> Void
    ) async throws -> Outcome {
        let owner: WorkOwner
        do { owner = try await withIdentity(.nobody) { try await verifiedOwner(of: message) } } catch {
            // Verification was cancelled, which says nothing about the message.
            let wasCutShort = Task.isCancelled && !isJudgement(error)
            return try await grace.run { [retry, deadLetter] in
                try await withIdentity(.nobody) {
                    try await wasCutShort ? retry(message, error) : deadLetter(message, error)
                    return wasCutShort ? .retried : .refused
                }
            }
        }
        var failure: (any Error)?
        do {
            try await withIdentity(owner.identity) {
                // Work is counted here: an earlier revocation is seen, and a later one waits for the work.
                try owner.admit()
                try await handle(message)
            }
        } catch {
            failure = error
        }
        return try await grace.run { [self, failure] in try await settle(message, of: owner, failure) }
    }

    /// Acknowledges, retries or dead-letters a handled message as its owner, or as nobody if the owner was revoked.
    private func settle(_ message: Message, of owner: WorkOwner, _ failure: (any Error)?) async throws -> Outcome {
        let settled = try await withIdentity(owner.identity) { () async throws -> Outcome? in
            // Counted, as the handler is.
            if owner.refusal != nil { return nil }
            guard let failure else {
                try await acknowledge(message)
                return .acknowledged
            }
            switch await afterError(message, failure) {
            case .retry:
                try await retry(message, failure)
                return .retried
            case .deadLetter:
                try await deadLetter(message, failure)
                return .deadLettered
            }
        }
        if let settled { return settled }
        return try await withIdentity(.nobody) {
            try await deadLetter(message, owner.refusal ?? CancellationError())
            return .refused
        }
    }

    private func verifiedOwner(of message: Message) async throws -> WorkOwner {
        guard let owner = try await owner(message) else {
            throw LeaseError(
                .unverified,
                "The message names no owner. Let its sender inject the identity, or nobody if the message belongs to no one."
            )
        }
        guard owner.isNobody || owner.verification != nil else {
            throw LeaseError(
                .unverified,
                """
                The message names \(EscapedText(owner.name).quoted) as its owner, but no verifier accepted that. Extract a claim, and \
                verify it.
                """
            )
        }
        let admitted = WorkOwner(owner)
        try admitted.admit()
        return admitted
    }

    /// Returns whether an error is about the message, and not the result of cancellation.
    private func isJudgement(_ error: any Error) -> Bool {
        if let code = (error as? LeaseError)?.code { return code == .unverified }
        return (error as? IdentityError)?.code == .revoked
    }
}
