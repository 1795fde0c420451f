public import MultiIdentity

/// An event of a registered account, such as the end of a request.
public struct AccountEvent: Sendable {
    /// The account.
    public let identity: Identity
    /// The kind of event.
    public let status: AccountEventStatus
    /// The event in words, without secrets.
    public let text: String
    /// The time of the event.
    public let moment: WallInstant
    /// The name of the process that caused the event (``AccountRegistry/origin``).
    public let origin: String
    /// The number of the event in its store, from 1; 0 before it is stored.
    public private(set) var number: Int64 = 0
    /// The request that the event ends; `nil` for none.
    public let request: AccountRequest?
    /// The error of a failed request, in the process that made it; elsewhere only ``text`` describes it.
    public internal(set) var error: (any Error)?
    /// The duration of the request, in the process that made it; otherwise `nil`.
    public internal(set) var duration: Duration?
    /// The account's record when the event was read; used by the registry only.
    var record: AccountRecord?
    /// Work that runs between events, instead of an event.
    private(set) var work: (@Sendable () -> Void)?

    /// Creates an event that is not stored yet.
    ///
    /// - Parameters:
    ///   - identity: The account.
    ///   - status: The kind of event.
    ///   - text: The event in words, without secrets.
    ///   - moment: The time of the event.
    ///   - origin: The process.
    ///   - request: The request that the event ends.
    @_spi(Stores) public init(
        _ identity: Identity,
        _ status: AccountEventStatus,
        _ text: String,
        at moment: WallInstant,
        from origin: String,
        ending request: AccountRequest? = nil
    ) {
        self.identity = identity
        self.status = status
        self.text = text
        self.moment = moment
        self.origin = origin
        self.request = request
    }

    /// Returns work to run after the events so far, and before the next one.
    static func inTurn(_ work: @escaping @Sendable () -> Void) -> AccountEvent {
        var event = AccountEvent(.nobody, .eventsMissed, "", at: WallInstant(milliseconds: 0), from: "")
        event.work = work
        return event
    }

    /// Returns whether both are the same event, rather than events with the same number in different stores.
    func isSame(as other: AccountEvent) -> Bool {
        number == other.number && identity == other.identity && status == other.status && text == other.text
            && moment == other.moment && origin == other.origin && request == other.request
    }

    /// Returns the event with its number in a store.
    ///
    /// - Parameter number: The number.
    /// - Returns: The event.
    @_spi(Stores) public func numbered(_ number: Int64) -> AccountEvent {
        var event = self
        event.number = number
        return event
    }
}

extension AccountEvent {
    /// The number of events that every store of this repository keeps for reports, whether or not they were read.
    @_spi(Stores) public static let keptCount: Int64 = 1_000
}

extension AccountEvent: CustomStringConvertible {
    /// The account, the status and the text.
    public var description: String { "\(identity): \(status), \(text)" }
}

/// The kind of request that an event ends.
public enum AccountRequest: String, Hashable, Sendable, CaseIterable {
    /// A request to the service to enroll the account, or to the provider for the credential.
    case enrolment
    /// A request to the service for the policy of an enrolled account.
    case policyCheck
    /// A notification to the service that the account is no longer enrolled.
    case unenrolment
    /// A wipe of the account's data.
    case wipe

    init(of record: AccountRecord) {
        self =
            switch record.stage {
            case .registered: .enrolment
            case .enrolled: .policyCheck
            case .leaving: .unenrolment
            case .wiping: .wipe
            }
    }
}
