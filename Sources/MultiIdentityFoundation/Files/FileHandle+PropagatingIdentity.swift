public import Foundation
import MultiIdentity

extension FileHandle {
    /// A view of this file handle with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: PropagatingFileHandle { PropagatingFileHandle(base: self) }
}

extension IdentityBoundary {
    static let fileHandle = IdentityBoundary("file handle")
}

/// A view of a file handle whose handlers carry identity.
///
/// ```swift
/// pipe.fileHandleForReading.propagatingIdentity.readabilityHandler = { log($0.availableData) }  // as the identity bound here
/// ```
public struct PropagatingFileHandle: Sendable {
    /// The file handle itself; a handler that is set on it directly carries no identity.
    public let base: FileHandle

    /// Captured when set: the handler runs whenever there is data to read, as the identity bound here.
    ///
    /// Setting `nil`, here or on the file handle itself, releases the handler and the identity; so does closing.
    public var readabilityHandler: (@Sendable (FileHandle) -> Void)? {
        get { base.readabilityHandler }
        nonmutating set { base.readabilityHandler = newValue.map { carrying($0, "readability") } }
    }

    /// Captured when set: the handler runs whenever it is possible to write, as the identity bound here.
    ///
    /// Setting `nil`, here or on the file handle itself, releases the handler and the identity; so does closing.
    public var writeabilityHandler: (@Sendable (FileHandle) -> Void)? {
        get { base.writeabilityHandler }
        nonmutating set { base.writeabilityHandler = newValue.map { carrying($0, "writeability") } }
    }

    private func carrying(
        _ work: @escaping @Sendable (FileHandle) -> Void,
        _ place: String
    ) -> @Sendable (FileHandle) -> Void {
        let captured = BoundaryCapture(at: .fileHandle, of: place)
        return { handle in captured.restore { work(handle) } }
    }
}
