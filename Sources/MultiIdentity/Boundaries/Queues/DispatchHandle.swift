#if os(Linux)
import CMultiIdentity

/// A reader of the C handle in a Swift object of Dispatch.
///
/// Such an object on Linux is a class around its handle, and keeps the handle to itself. It is read only where the
/// runtime reports exactly the layout that is expected, one field of that name right behind the object's header, and
/// where a trial on an object of the reader's own has shown that what is read is that object.
struct DispatchHandle {
    private let offset: Int

    /// - Parameters:
    ///   - type: The class.
    ///   - trial: Whether what is read is the handle of an object that the trial made.
    init?(in type: AnyClass, where trial: (DispatchHandle) -> Bool) {
        if mi_trials_fail() { return nil }
        let offset = mi_offset_of_only_field(metadata(of: type), "__wrapped")
        guard offset == 2 * UInt(MemoryLayout<UnsafeRawPointer>.size) else { return nil }
        self.offset = Int(offset)
        guard trial(self) else { return nil }
    }

    /// Sound where the layout is verified: the object is alive, and the field is constant from its initialiser on.
    func read(from object: some AnyObject) -> OpaquePointer {
        withExtendedLifetime(object) {
            Borrowed(object).address.load(fromByteOffset: offset, as: OpaquePointer.self)
        }
    }
}
#endif
