internal import CSystemCalls

/// A descriptor that closes itself: of a file or a directory.
///
/// The one place, with `OpenFile+Names.swift` and `OpenFile+Attributes.swift`, where files are touched; each mutating call
/// asks ``StorageFaults`` first. Every descriptor is closed when a program is executed.
package struct OpenFile: ~Copyable, Sendable {
    package enum Access: Sendable {
        case reading
        /// As `reading`, of what a symbolic link at the path's end leads to.
        case readingLinked
        case readingAndWriting
        /// As `readingAndWriting`, and each write appends.
        case appending
        /// As `readingAndWriting`; fails with `EEXIST` where something has the name.
        case creating
        /// A directory, to read its names and to reach them.
        case directory

        var value: sys_access {
            switch self {
            case .reading: sys_access_read
            case .readingLinked: sys_access_read_following
            case .readingAndWriting: sys_access_read_write
            case .appending: sys_access_append
            case .creating: sys_access_create
            case .directory: sys_access_directory
            }
        }
    }

    package let descriptor: Int32
    /// For messages alone.
    package let path: String

    /// Takes over a descriptor.
    package init(taking descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { sys_close(descriptor) }

    /// Opens a path of the process; a symbolic link at its end is not followed.
    package static func open(
        _ path: String,
        _ access: Access,
        permissions: UInt32 = 0o600
    ) throws(SystemCallError) -> OpenFile {
        if access == .creating { try StorageFaults.willCall("open", path) }
        return OpenFile(
            taking: try checked(sys_open(sys_here, path, access.value, permissions), "open", path),
            path: path
        )
    }

    /// Opens a name in this directory; a symbolic link at its end is not followed.
    package func open(
        _ name: UnsafePointer<CChar>,
        _ access: Access,
        permissions: UInt32 = 0o600
    ) throws(SystemCallError) -> OpenFile {
        let path = whole(name)
        if access == .creating { try StorageFaults.willCall("open", path) }
        return OpenFile(
            taking: try checked(sys_open(descriptor, name, access.value, permissions), "open", path),
            path: path
        )
    }

    /// The same file once more; both share the place that is read next.
    package func duplicate() throws(SystemCallError) -> OpenFile {
        OpenFile(taking: try checked(sys_duplicate(descriptor), "fcntl", path), path: path)
    }

    /// Reads from the current position.
    /// - Returns: The number of bytes read; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Int {
        try checked(sys_read(descriptor, buffer.baseAddress, buffer.count), "read", path)
    }

    /// Reads at an offset.
    /// - Returns: The number of bytes read; fewer than requested only at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = sys_read_at(descriptor, rest.baseAddress, rest.count, offset + UInt64(done))
            if try checked(count, "pread", path) == 0 { break }
            done += count
        }
        return done
    }

    /// Writes all of it at the file's place, or throws: some of it may be written then.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) {
        try StorageFaults.willWrite("write", path, descriptor, count: bytes.count) { half in
            _ = sys_write(descriptor, bytes.baseAddress, half)
        }
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            done += try checked(sys_write(descriptor, rest.baseAddress, rest.count), "write", path)
        }
    }

    /// Writes all of it at an offset, or throws: some of it may be written then.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemCallError) {
        try StorageFaults.willWrite("pwrite", path, descriptor, count: bytes.count) { half in
            _ = sys_write_at(descriptor, bytes.baseAddress, half, offset)
        }
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = sys_write_at(descriptor, rest.baseAddress, rest.count, offset + UInt64(done))
            done += try checked(count, "pwrite", path)
        }
    }

    /// Writes all of it at the file's place, or throws: some of it may be written then.
    package func write(_ bytes: [UInt8]) throws(SystemCallError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemCallError) in try write(bytes) }
        }
        try result.get()
    }

    /// Writes all of it at an offset, or throws: some of it may be written then.
    package func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemCallError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemCallError) in try write(bytes, at: offset) }
        }
        try result.get()
    }

    /// Makes everything written survive a power cut; for a directory, its names.
    package func synchronize() throws(SystemCallError) {
        try StorageFaults.willCall("fsync", path, descriptor)
        if StorageFaults.lacksPowerCuts { return }
        try checked(sys_synchronize(descriptor), "fsync", path)
    }

    package func truncate(to size: UInt64) throws(SystemCallError) {
        try StorageFaults.willCall("ftruncate", path, descriptor)
        try checked(sys_truncate(descriptor, size), "ftruncate", path)
    }

    /// Reserves space after the file's end without changing its size, if the file system supports it.
    ///
    /// - Throws: ``SystemCallError`` if the disk is full.
    package func reserve(_ count: UInt64, at offset: UInt64) throws(SystemCallError) {
        let error = SystemCallError("fallocate", path, code: -sys_reserve(descriptor, offset, count))
        if error.isNoSpace { throw error }
    }

    package func seek(to offset: UInt64) throws(SystemCallError) {
        try checked(sys_seek(descriptor, Int64(clamping: offset)), "lseek", path)
    }

    package func status() throws(SystemCallError) -> FileStatus {
        var found = sys_status()
        try checked(sys_status(descriptor, &found), "statx", path)
        return FileStatus(found)
    }

    package func setPermissions(_ permissions: UInt32) throws(SystemCallError) {
        try StorageFaults.willCall("fchmod", path, descriptor)
        try checked(sys_change_mode(descriptor, permissions), "fchmod", path)
    }

    package func setUser(_ user: UInt32, group: UInt32) throws(SystemCallError) {
        try StorageFaults.willCall("fchown", path, descriptor)
        try checked(sys_change_owner(descriptor, user, group), "fchown", path)
    }

    /// Locks the file for this descriptor, until it is closed.
    /// - Returns: Whether it was locked; `false` if another descriptor, of this process or another, has the lock.
    package func lock() throws(SystemCallError) -> Bool {
        StorageFaults.willLock(path, descriptor)
        let error = SystemCallError("flock", path, code: -sys_lock(descriptor))
        if error.code <= 0 { return true }
        if error.isInUse { return false }
        throw error
    }

    /// Makes each write append from now on.
    package func appendOnly() throws(SystemCallError) { try checked(sys_append(descriptor), "fcntl", path) }

    /// Releases the lock, for all that share the open file description.
    package func unlock() throws(SystemCallError) { try checked(sys_unlock(descriptor), "flock", path) }
}
