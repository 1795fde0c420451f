import Foundation

/// A socket that does not block; closed when nobody has it any more.
final class RedisSocket: Sendable {
    let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Connects to a server on this machine; blocks for so many milliseconds at most.
    static func connected(to port: UInt16, milliseconds: Int32) throws(RedisError) -> RedisSocket {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw .unreachable(port: port, reason: Self.reason) }
        let socket = RedisSocket(descriptor)
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw .unreachable(port: port, reason: Self.reason)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return socket }
        guard errno == EINPROGRESS else { throw .unreachable(port: port, reason: Self.reason) }
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&wait, 1, milliseconds) == 1 else { throw .unreachable(port: port, reason: "it took too long") }
        var (failure, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) == 0, failure == 0 else {
            throw .unreachable(port: port, reason: String(cString: strerror(failure)))
        }
        return socket
    }

    /// The bytes to read: `nil` where nothing is there yet, and empty at the end.
    func read() throws(RedisError) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count >= 0 { return Array(buffer.prefix(count)) }
        if errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { return nil }
        throw .closed(reason: Self.reason)
    }

    /// Writes as much as there is room for, and says how much that was.
    func write(_ bytes: ArraySlice<UInt8>) throws(RedisError) -> Int {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
        if count >= 0 { return count }
        if errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { return 0 }
        throw .closed(reason: Self.reason)
    }

    /// Ends both directions, for all that read or write.
    func end() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static var reason: String { String(cString: strerror(errno)) }
}
