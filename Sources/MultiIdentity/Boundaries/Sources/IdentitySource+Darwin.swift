#if canImport(Darwin)
public import Dispatch

// Kinds that libdispatch has on Apple platforms only; their events have their own types.
extension DispatchSourceProcess {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<any DispatchSourceProcess> { IdentitySource(self, self) }
}

extension IdentitySource where Base == any DispatchSourceProcess {
    /// The process that the source watches.
    public var handle: pid_t { base.handle }

    /// The events that the source watches for.
    public var mask: DispatchSource.ProcessEvent { base.mask }

    /// The events that have occurred, for the event handler.
    public var data: DispatchSource.ProcessEvent { base.data }
}

extension DispatchSourceFileSystemObject {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<any DispatchSourceFileSystemObject> { IdentitySource(self, self) }
}

extension IdentitySource where Base == any DispatchSourceFileSystemObject {
    /// The file descriptor that the source watches.
    public var handle: Int32 { base.handle }

    /// The events that the source watches for.
    public var mask: DispatchSource.FileSystemEvent { base.mask }

    /// The events that have occurred, for the event handler.
    public var data: DispatchSource.FileSystemEvent { base.data }
}

extension DispatchSourceMachSend {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<any DispatchSourceMachSend> { IdentitySource(self, self) }
}

extension IdentitySource where Base == any DispatchSourceMachSend {
    /// The port that the source watches.
    public var handle: mach_port_t { base.handle }

    /// The events that the source watches for.
    public var mask: DispatchSource.MachSendEvent { base.mask }

    /// The events that have occurred, for the event handler.
    public var data: DispatchSource.MachSendEvent { base.data }
}

extension DispatchSourceMachReceive {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<any DispatchSourceMachReceive> { IdentitySource(self, self) }
}

extension IdentitySource where Base == any DispatchSourceMachReceive {
    /// The port that the source watches.
    public var handle: mach_port_t { base.handle }
}

extension DispatchSourceMemoryPressure {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<any DispatchSourceMemoryPressure> { IdentitySource(self, self) }
}

extension IdentitySource where Base == any DispatchSourceMemoryPressure {
    /// The events that the source watches for.
    public var mask: DispatchSource.MemoryPressureEvent { base.mask }

    /// The events that have occurred, for the event handler.
    public var data: DispatchSource.MemoryPressureEvent { base.data }
}
#endif
