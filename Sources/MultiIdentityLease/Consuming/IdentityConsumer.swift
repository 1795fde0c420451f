public import MultiIdentity

/// Handles messages, each in a scope of its own: as the identity that its verified carrier names.
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
/// The handler and what follows it run as the message's owner; to fetch the next message is nobody's work, whichever identity
/// began the loop. A message of unknown owner is never handled: it goes to the dead letters, as nobody.
///
/// What follows the handler is not cancelled with the loop: it has a grace period from then on.
public struct IdentityConsumer<Message: Sendable>: Sendable {
    /// The decision about a message after its handler threw.
    public enum AfterError: Hashable, Sendable {
        /// It is to come again.
        case retry
        /// It is put aside.
        case deadLetter
    }

    /// The end of one message.
    public enum Outcome: Hashable, Sendable {
        /// It was handled, and acknowledged.
        case acknowledged
        /// Its handler threw, or the task was cancelled before its owner was known, and it is to come again.
        case retried
        /// Its handler threw, and it was put aside.
        case deadLettered
        /// It was put aside: its owner is not known, not verified, or revoked, and was perhaps revoked while it was handled.
        case refused
    }

    private let grace: GracePeriod
    private let owner: @Sendable (Message) async throws -> Identity?
    private let acknowledge: @Sendable (Message) async throws -> Void
    private let retry: @Sendable (Message, any Error) async throws -> Void
    private let deadLetter: @Sendable (Message, any Error) async throws -> Void
    private let afterError: @Sendable (Message, any Error) async -> AfterError

    /// A consumer of messages.
    ///
    /// - Parameters:
    ///   - grace: How long what follows a handler may go on once the task was cancelled: then it is cancelled, and `consume`
    ///     throws ``LeaseError`` with `.exceededMaxDuration`.
    ///   - clock: What the grace period is measured by.
    ///   - owner: The owner of a message, as a verifier has believed it: an identity without `Identity.verification` is
    ///     refused, and so is `nil`. Called as nobody. Nobody is an owner as well.
    ///   - acknowledge: Says that a message was handled; called as its owner.
    ///   - retry: Has a message come again; called as its owner, or as nobody where the task was cancelled before that was known.
    ///   - deadLetter: Puts a message aside; called as its owner, or as nobody where that is refused.
    ///   - afterError: Decides what becomes of a message after its handler threw; called as its owner. By default it comes again.
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

    /// Handles messages one after the other, until there are no more or the task is cancelled.
    ///
    /// - Parameters:
    ///   - messages: Where they come from; asked for the next one as nobody.
    ///   - handle: Handles one, as its owner.
    /// - Throws: What the sequence throws, and what acknowledging, retrying and putting aside throw.
    public func consume<Messages: AsyncSequence>(
        _ messages: Messages,
        handle: @Sendable (Message) async throws -> Void
    ) async throws where Messages.Element == Message {
        if Task.isCancelled { return }
        try await withIdentity(.nobody) {
            for try await message in messages {
                // One that was fetched while the task was cancelled is not dropped: its handler can see that, and throw.
                try await consume(message, handle: handle)
                if Task.isCancelled { return }
            }
        }
    }

    /// Handles one message, as its owner, and says what became of it.
    ///
    /// Where its owner is revoked before what follows the handler begins, the message is put aside as nobody.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - handle: Handles it.
    /// - Returns: What became of it.
    /// - Throws: What acknowledging, retrying and putting aside throw, and ``LeaseError`` with `.exceededMaxDuration` where they take
    ///   longer than the grace period: the message's fate is unknown then.
    @discardableResult
    public func consume(
        _ message: Message,
        handle: @Sendable (Message) async throws -> Void
    ) async throws -> Outcome {
        let owner: WorkOwner
        do { owner = try await withIdentity(.nobody) { try await verifiedOwner(of: message) } } catch {
            // To verify was cut short: that says nothing about the message.
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
                // In here it is counted: a revocation comes before that, and is seen, or has to wait for the work.
                try owner.admit()
                try await handle(message)
            }
        } catch {
            failure = error
        }
        return try await grace.run { [self, failure] in try await settle(message, of: owner, failure) }
    }

    /// Decides what becomes of a message after its handler, as its owner; as nobody where that was revoked.
    private func settle(_ message: Message, of owner: WorkOwner, _ failure: (any Error)?) async throws -> Outcome {
        let settled = try await withIdentity(owner.identity) { () async throws -> Outcome? in
            // Counted, as the handler.
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
                "The message names no owner. Have its sender inject the identity, or nobody where it is nobody's."
            )
        }
        guard owner.isNobody || owner.verification != nil else {
            throw LeaseError(
                .unverified,
                """
                The message is said to be \(EscapedText(owner.name).quoted)'s, and no verifier has believed that. Extract a \
                claim, and have it verified.
                """
            )
        }
        let admitted = WorkOwner(owner)
        try admitted.admit()
        return admitted
    }

    /// Whether an error says something about the message, however its task ended.
    private func isJudgement(_ error: any Error) -> Bool {
        if let code = (error as? LeaseError)?.code { return code == .unverified }
        return (error as? IdentityError)?.code == .revoked
    }
}
