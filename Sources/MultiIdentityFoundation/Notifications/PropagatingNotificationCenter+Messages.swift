// Foundation has typed messages from Apple's systems of 2025 on, and elsewhere from Swift 6.3 on.
#if canImport(Darwin) || compiler(>=6.3)
public import Foundation
import MultiIdentity

// Main-actor messages reach their observers in the middle of the poster's work, and asynchronous ones in a task without an
// identity.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension PropagatingNotificationCenter {
    /// Captured when registered: runs `observer` for each such message about `subject` as the identity bound here,
    /// until the token is released.
    public func addObserver<
        Identifier: NotificationCenter.MessageIdentifier,
        Message: NotificationCenter.MainActorMessage
    >(
        of subject: Message.Subject,
        for identifier: Identifier,
        using observer: @escaping @MainActor (Message) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> NotificationCenter.ObservationToken where Identifier.MessageType == Message, Message.Subject: AnyObject {
        let captured = BoundaryCapture(at: .notification, of: String(describing: Message.self), fileID, line)
        return base.addObserver(of: subject, for: identifier, using: captured.carrying(observer))
    }

    /// Captured when registered: runs `observer` for each such message as the identity bound here, until the token is
    /// released.
    public func addObserver<
        Identifier: NotificationCenter.MessageIdentifier,
        Message: NotificationCenter.MainActorMessage
    >(
        of subject: Message.Subject.Type,
        for identifier: Identifier,
        using observer: @escaping @MainActor (Message) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> NotificationCenter.ObservationToken where Identifier.MessageType == Message {
        let captured = BoundaryCapture(at: .notification, of: String(describing: Message.self), fileID, line)
        return base.addObserver(of: subject, for: identifier, using: captured.carrying(observer))
    }

    /// Captured when registered: runs `observer` for each message of a type as the identity bound here, until the token
    /// is released.
    public func addObserver<Message: NotificationCenter.MainActorMessage>(
        of subject: Message.Subject? = nil,
        for messageType: Message.Type,
        using observer: @escaping @MainActor (Message) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> NotificationCenter.ObservationToken where Message.Subject: AnyObject {
        let captured = BoundaryCapture(at: .notification, of: String(describing: Message.self), fileID, line)
        return base.addObserver(of: subject, for: messageType, using: captured.carrying(observer))
    }

    /// Captured when registered: runs `observer` for each such message about `subject` as the identity bound here,
    /// until the token is released.
    public func addObserver<Identifier: NotificationCenter.MessageIdentifier, Message: NotificationCenter.AsyncMessage>(
        of subject: Message.Subject,
        for identifier: Identifier,
        using observer: @escaping @Sendable (Message) async -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> NotificationCenter.ObservationToken where Identifier.MessageType == Message, Message.Subject: AnyObject {
        let captured = BoundaryCapture(at: .notification, of: String(describing: Message.self), fileID, line)
        return base.addObserver(of: subject, for: identifier, using: captured.carrying(observer))
    }

    /// Captured when registered: runs `observer` for each such message as the identity bound here, until the token is
    /// released.
    public func addObserver<Identifier: NotificationCenter.MessageIdentifier, Message: NotificationCenter.AsyncMessage>(
        of subject: Message.Subject.Type,
        for identifier: Identifier,
        using observer: @escaping @Sendable (Message) async -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> NotificationCenter.ObservationToken where Identifier.MessageType == Message {
        let captured = BoundaryCapture(at: .notification, of: String(describing: Message.self), fileID, line)
        return base.addObserver(of: subject, for: identifier, using: captured.carrying(observer))
    }

    /// Captured when registered: runs `observer` for each message of a type as the identity bound here, until the token
    /// is released.
    public func addObserver<Message: NotificationCenter.AsyncMessage>(
        of subject: Message.Subject? = nil,
        for messageType: Message.Type,
        using observer: @escaping @Sendable (Message) async -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> NotificationCenter.ObservationToken where Message.Subject: AnyObject {
        let captured = BoundaryCapture(at: .notification, of: String(describing: Message.self), fileID, line)
        return base.addObserver(of: subject, for: messageType, using: captured.carrying(observer))
    }
}

extension BoundaryCapture {
    fileprivate func carrying<Message>(
        _ observer: @escaping @MainActor (Message) -> Void
    ) -> @MainActor (Message) -> Void {
        { message in restore(triggeredBy: .ofTrigger) { observer(message) } }
    }

    fileprivate func carrying<Message>(
        _ observer: @escaping @Sendable (Message) async -> Void
    ) -> @Sendable (Message) async -> Void {
        { message in await snapshot.restore { () async -> Void in await observer(message) } }
    }
}
#endif
