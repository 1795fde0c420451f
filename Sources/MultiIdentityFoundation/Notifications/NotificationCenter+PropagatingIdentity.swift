public import Foundation
import MultiIdentity

extension NotificationCenter {
    /// A view of this center with observers that carry identity: each is captured when registered.
    public var propagatingIdentity: PropagatingNotificationCenter { PropagatingNotificationCenter(base: self) }
}

extension IdentityBoundary {
    static let notification = IdentityBoundary("notification")
}

/// A view of a notification center whose observers carry identity.
///
/// ```swift
/// let token = NotificationCenter.default.propagatingIdentity.addObserver(forName: .inboxChanged, object: nil, queue: nil) {
///     refresh($0)  // as the identity bound where it was registered, not the poster's
/// }
/// ```
///
/// Remove observers from the center itself, which then releases the block and the identity. Before Swift 6.3,
/// Foundation on Linux keeps both until the result of ``addObserver(forName:object:queue:using:fileID:line:)`` is
/// released too.
public struct PropagatingNotificationCenter: Sendable {
    /// The center itself; an observer that is registered with it directly carries no identity.
    public let base: NotificationCenter

    /// Captured when registered: runs `block` for each such notification as the identity bound here, not as the poster.
    ///
    /// Without a queue, `IdentityTrigger.current` is the poster.
    ///
    /// - Parameters:
    ///   - name: The notifications' name, or `nil` for all.
    ///   - object: The notifications' object, or `nil` for all.
    ///   - queue: The queue that runs `block` while the poster waits, or `nil` to run it on the poster's thread.
    ///   - block: The work; it gets the notification.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The token to pass to the center's `removeObserver`.
    public func addObserver(
        forName name: Notification.Name?,
        object: Any?,
        queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> any NSObjectProtocol {
        let captured = BoundaryCapture(at: .notification, of: name?.rawValue, fileID, line)
        let isKnown = queue == nil  // on a queue, the poster is unknown
        return base.addObserver(forName: name, object: object, queue: queue) { notification in
            captured.restore(triggeredBy: isKnown ? .ofTrigger : nil) { block(notification) }
        }
    }
}
