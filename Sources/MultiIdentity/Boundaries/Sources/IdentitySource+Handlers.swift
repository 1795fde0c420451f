public import Dispatch

// Each takes a closure, captured here, or a work item, captured when it was created.
extension IdentitySource {
    /// Captured when set: runs `handler` as the identity bound at the call, whenever the source has something to tell.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the handler.
    ///   - flags: How the handler runs.
    ///   - handler: The work, or `nil` for none; it is released, with the identity, when it is replaced, or the source cancelled or released.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
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

    /// Captured when the item was created: runs a work item whenever the source has something to tell.
    ///
    /// - Parameter handler: The item, made with ``Dispatch/DispatchWorkItem/propagatingIdentity(qos:flags:block:fileID:line:)``; a
    ///   plain one captured nothing.
    public func setEventHandler(handler: DispatchWorkItem) { source.setEventHandler(handler: handler) }

    /// Captured when set: runs `handler` as the identity bound at the call, once the source has been cancelled.
    ///
    /// Its trigger (``IdentityTrigger``) is the identity that cancels through a view; a plain `cancel()` leaves it unknown.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the handler.
    ///   - flags: How the handler runs.
    ///   - choice: As whom the handler runs.
    ///   - handler: The work, or `nil` for none; it is released, with the identity, as soon as it has run, or when it is
    ///     replaced or the source released.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
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
    ///   - flags: How the handler runs.
    ///   - handler: The work, or `nil` for none; it is released, with the identity, as soon as it has run, or when it is replaced or the source released.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
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
