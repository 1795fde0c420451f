public import Dispatch

// Each takes a closure, captured here, or a work item, captured when it was created.
extension IdentitySource {
    /// Captured when set: runs `handler` as the identity bound at the call, whenever the source has an event.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the handler.
    ///   - flags: The flags of the handler.
    ///   - handler: The work, or `nil` to remove it; it is released together with the identity when it is replaced, or the
    ///     source is cancelled or released.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    @preconcurrency
    public func setEventHandler(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        handler: (@Sendable () -> Void)?,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let handler = handler.map { BoundaryCapture(at: .sourceEvent, fileID, line).wrap($0) }
        source.setEventHandler(qos: qos, flags: flags, handler: handler)
    }

    /// Captured when the item was created: runs a work item whenever the source has an event.
    ///
    /// - Parameter handler: The item, made with ``Dispatch/DispatchWorkItem/propagatingIdentity(qos:flags:block:fileID:line:)``; a
    ///   plain one captured nothing.
    public func setEventHandler(handler: DispatchWorkItem) { source.setEventHandler(handler: handler) }

    /// Captured when set: runs `handler` as the identity bound at the call, once the source has been cancelled.
    ///
    /// Its trigger (``IdentityTrigger``) is the identity that cancels through a view; after a plain `cancel()` it is unknown.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the handler.
    ///   - flags: The flags of the handler.
    ///   - choice: Whether the handler runs as its owner or as its trigger.
    ///   - handler: The work, or `nil` to remove it; it is released together with the identity as soon as it has run, or when
    ///     it is replaced or the source released.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    @preconcurrency
    public func setCancelHandler(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        runningAs choice: HandlerIdentity = .owner,
        handler: (@Sendable () -> Void)?,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        guard let handler else { return source.setCancelHandler(qos: qos, flags: flags, handler: nil) }
        let cancellation = SourceCancellation(BoundaryCapture(at: .sourceCancel, fileID, line), runningAs: choice)
        let entry = SourceCancellation.Entry(cancellation, of: source as AnyObject)
        source.setCancelHandler(qos: qos, flags: flags) { entry.cancellation.run(handler) }
    }

    /// Captured when the item was created: runs a work item once the source has been cancelled.
    ///
    /// - Parameter handler: The item, made with ``Dispatch/DispatchWorkItem/propagatingIdentity(qos:flags:block:fileID:line:)``; a
    ///   plain one captured nothing.
    public func setCancelHandler(handler: DispatchWorkItem) { source.setCancelHandler(handler: handler) }

    /// Captured when set: runs `handler` as the identity bound at the call, once the source has begun to watch.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the handler.
    ///   - flags: The flags of the handler.
    ///   - handler: The work, or `nil` to remove it; it is released together with the identity as soon as it has run, or when
    ///     it is replaced or the source released.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    @preconcurrency
    public func setRegistrationHandler(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        handler: (@Sendable () -> Void)?,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let handler = handler.map { BoundaryCapture(at: .sourceRegistration, fileID, line).wrap($0) }
        source.setRegistrationHandler(qos: qos, flags: flags, handler: handler)
    }

    /// Captured when the item was created: runs a work item once the source has begun to watch.
    ///
    /// - Parameter handler: The item, made with ``Dispatch/DispatchWorkItem/propagatingIdentity(qos:flags:block:fileID:line:)``; a
    ///   plain one captured nothing.
    public func setRegistrationHandler(handler: DispatchWorkItem) { source.setRegistrationHandler(handler: handler) }
}
