public import Dispatch

// What sources of a program's own data have besides, passed on as it is.
extension IdentitySource where Base == any DispatchSourceUserDataAdd {
    /// Adds to the data that the event handler gets next; who adds does not matter to it.
    ///
    /// - Parameter data: The number to add; 0 makes no event.
    public func add(data: UInt) { base.add(data: data) }
}

extension IdentitySource where Base == any DispatchSourceUserDataOr {
    /// Sets bits in the data that the event handler gets next; who sets them does not matter to it.
    ///
    /// - Parameter data: The bits to set; 0 makes no event.
    public func or(data: UInt) { base.or(data: data) }
}

extension IdentitySource where Base == any DispatchSourceUserDataReplace {
    /// Replaces the data that the event handler gets next; who replaces it does not matter to it.
    ///
    /// - Parameter data: The data; 0 makes no event.
    public func replace(data: UInt) { base.replace(data: data) }
}
