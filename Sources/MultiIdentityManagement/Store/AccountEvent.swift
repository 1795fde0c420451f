public import MultiIdentity

/// An event in the life of a registered account: the end of one request, or something that a program has to hear of.
public struct AccountEvent: Sendable {
    /// The account.
    public let identity: Identity
    /// The kind of event.
    public let status: AccountEventStatus
    /// A description for people, without secrets.
    public let text: String
    /// The moment when it came about.
    public let moment: WallInstant
    /// The process in which it came about, by a name that it gave itself when it started.
    public let origin: String
    /// The place among all events of the store, from 1; 0 before it is in one.
    public private(set) var number: Int64 = 0
    /// The request that it ends; `nil` where it ends none.
    public let request: AccountRequest?
    /// The error that a request ended with, in the process that made it; elsewhere, ``text`` tells of it.
    public internal(set) var error: (any Error)?
    /// The time that the request took, in the process that made it; elsewhere, and where it ends none, `nil`.
    public internal(set) var duration: Duration?
    /// What the account was when the event was read, for the registry alone.
    var record: AccountRecord?
    /// Something that is done between events, and is none.
    private(set) var work: (@Sendable () -> Void)?

    /// An event that is not in a store yet.
    ///
    /// - Parameters:
    ///   - identity: The account.
    ///   - status: The kind of event.
    ///   - text: A description for people, without secrets.
    ///   - moment: The moment when it came about.
    ///   - origin: The process.
    ///   - request: The request that it ends.
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

    /// Something to be done after the events so far, and before the next one.
    static func inTurn(_ work: @escaping @Sendable () -> Void) -> AccountEvent {
        var event = AccountEvent(.nobody, .eventsMissed, "", at: WallInstant(milliseconds: 0), from: "")
        event.work = work
        return event
    }

    /// Returns whether it is the same one as another, and not one of the same number in another store.
    func isSame(as other: AccountEvent) -> Bool {
        number == other.number && identity == other.identity && status == other.status && text == other.text
            && moment == other.moment && origin == other.origin && request == other.request
    }

    /// The event in its place in a store.
    ///
    /// - Parameter number: The place.
    /// - Returns: The event.
    @_spi(Stores) public func numbered(_ number: Int64) -> AccountEvent {
        var event = self
        event.number = number
        return event
    }
}

extension AccountEvent {
    /// The number of events that every store of this repository keeps, for reports, whoever has read them.
    @_spi(Stores) public static let keptCount: Int64 = 1_000
}

extension AccountEvent: CustomStringConvertible {
    /// The account, the status and the text.
    public var description: String { "\(identity): \(status), \(text)" }
}

/// The kind of a request that an event ends.
public enum AccountRequest: String, Hashable, Sendable, CaseIterable {
    /// The service was asked to enroll the account, or the provider for a credential to do so.
    case enrolment
    /// The service was asked for the policy of an enrolled account.
    case policyCheck
    /// The service was notified that it is not to have the account enrolled.
    case unenrolment
    /// The account's data were wiped.
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
