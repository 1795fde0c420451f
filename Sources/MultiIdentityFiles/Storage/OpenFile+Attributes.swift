internal import CSystemCalls

/// Extended attributes.
extension OpenFile {
    /// Reads an attribute.
    /// - Returns: Its bytes; `nil` if the file does not have it.
    package func attribute(_ name: String, limit: Int) throws(SystemCallError) -> [UInt8]? {
        try Self.attribute(limit, path: { path }) { sys_get_attribute(descriptor, name, $0, limit) }
    }

    /// Reads an attribute of a name in this directory, without opening the file; a symbolic link is not followed.
    package func attribute(
        _ name: String,
        of entry: UnsafePointer<CChar>,
        limit: Int
    ) throws(SystemCallError) -> [UInt8]? {
        try Self.attribute(limit, path: { whole(entry) }) {
            sys_get_attribute_at(descriptor, entry, name, $0, limit)
        }
    }

    private static func attribute(
        _ limit: Int,
        path: () -> String,
        _ read: (UnsafeMutablePointer<UInt8>?) -> Int
    ) throws(SystemCallError) -> [UInt8]? {
        var size = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            size = read(buffer.baseAddress)
            count = max(size, 0)
        }
        if size >= 0 { return bytes }
        if sys_is_no_attribute(Int32(-size)) != 0 { return nil }
        throw SystemCallError("fgetxattr", path(), code: Int32(-size))
    }

    package func setAttribute(_ name: String, to value: [UInt8]) throws(SystemCallError) {
        try StorageFaults.willCall("fsetxattr", path, descriptor)
        if StorageFaults.lacksAttributes { throw .noAttributes("fsetxattr", path) }
        try checked(sys_set_attribute(descriptor, name, value, value.count), "fsetxattr", path)
    }

    /// Removes an attribute, if the file has it.
    package func removeAttribute(_ name: String) throws(SystemCallError) {
        try StorageFaults.willCall("fremovexattr", path, descriptor)
        let result = sys_remove_attribute(descriptor, name)
        if result < 0, sys_is_no_attribute(-result) != 0 { return }
        try checked(result, "fremovexattr", path)
    }
}

extension SystemCallError {
    /// The file system keeps no extended attributes.
    package var isNoAttributes: Bool { sys_is_no_attributes(code) != 0 }

    /// A value is too long for the buffer.
    package var isTooLong: Bool { sys_is_too_long(code) != 0 }

    static func noAttributes(_ call: String, _ path: String) -> SystemCallError {
        SystemCallError(call, path, code: notSupported)
    }
}
