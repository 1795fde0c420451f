#if os(Linux)
import CMultiIdentity

/// Reads the C handle in a Swift object of Dispatch.
///
/// On Linux such an object is a class around its handle, which it does not expose. The handle is read only if the runtime
/// reports exactly the expected layout, one field of that name directly after the object's header, and if a trial on the
/// reader's own object has shown that the value read is the handle.
struct DispatchHandle {
    private let offset: Int

    /// - Parameters:
    ///   - type: The class.
    ///   - trial: Returns whether the value read is the handle of an object that the trial made.
    init?(in type: AnyClass, where trial: (DispatchHandle) -> Bool) {
        if mi_trials_fail() { return nil }
        let offset = mi_offset_of_only_field(metadata(of: type), "__wrapped")
        guard offset == 2 * UInt(MemoryLayout<UnsafeRawPointer>.size) else { return nil }
        self.offset = Int(offset)
        guard trial(self) else { return nil }
    }

    /// Safe once the layout is verified: the object is alive, and the field is constant after initialization.
    func read(from object: some AnyObject) -> OpaquePointer {
        withExtendedLifetime(object) {
            Borrowed(object).address.load(fromByteOffset: offset, as: OpaquePointer.self)
        }
    }
}
#endif
