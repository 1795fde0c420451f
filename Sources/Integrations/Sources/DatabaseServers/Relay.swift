import Foundation
import Synchronization

/// A socket between clients and a server that counts round trips and can cut a connection.
///
/// A round trip is counted when the client sends something after the server sent last, or before it sent anything.
public final class Relay: Sendable {
    /// The point at which a connection is cut.
    public enum Cut: Sendable {
        /// Everything sent to the server is dropped.
        case beforeTheServer
        /// The server receives the message, and its answer does not reach the client.
        case beforeTheAnswer
        /// The same, and the client keeps waiting for the answer.
        case silently
    }

    private struct State {
        var roundTrips = 0
        var cut: (word: [UInt8], where: Cut)?
        var isStopped = false
    }

    /// The folder of the socket that clients connect to.
    public let folder: String
    private let listener: Int32
    private let state = Mutex(State())

    /// Starts the relay.
    ///
    /// - Parameter target: The path of the server's socket; the new one has the same name.
    /// - Throws: ``DatabaseServersError``.
    public init(to target: String) throws {
        folder = "/tmp/identity-relay-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let path = folder + "/" + (target.split(separator: "/").last ?? "")
        guard Self.withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
            throw DatabaseServersError(description: "No socket could be made at \(path): error \(errno).")
        }
        Thread.detachNewThread { [weak self, listener] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                Thread.detachNewThread { [weak self] in
                    if Self.withAddress(target, { connect(server, $0, $1) }) == 0 { self?.relay(client, server) }
                    for socket in [client, server] { close(socket) }
                }
            }
            // Not in `stop`: the next relay must not get this number while this thread still polls it.
            close(listener)
        }
    }

    deinit { stop() }

    /// The number of round trips so far.
    public var roundTrips: Int { state.withLock { $0.roundTrips } }

    /// Cuts the next connection that sends this word, once.
    ///
    /// - Parameters:
    ///   - word: The text to find in the client's messages.
    ///   - place: The point at which to cut.
    public func cut(at word: String, _ place: Cut) { state.withLock { $0.cut = (Array(word.utf8), place) } }

    /// Stops accepting connections, and removes the socket.
    public func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        guard isFirst else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Passes on what client and server send, until one of them ends or is to be cut.
    private func relay(_ client: Int32, _ server: Int32) {
        var (serverSpoke, cut) = (true, Cut?.none)
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var sockets = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&sockets, 2, -1) > 0 {
            if sockets[0].revents != 0 {
                guard case let count = read(client, &bytes, bytes.count), count > 0 else { return }
                cut = note(bytes[..<count], isNew: serverSpoke) ?? cut
                serverSpoke = false
                guard cut != .beforeTheServer, Self.send(bytes[..<count], to: server) else { return }
            }
            if sockets[1].revents != 0 {
                guard case let count = read(server, &bytes, bytes.count), count > 0 else { return }
                serverSpoke = true
                if cut == .silently { continue }
                guard cut == nil, Self.send(bytes[..<count], to: client) else { return }
            }
        }
    }

    /// Counts what the client sent, and returns whether to cut the connection.
    private func note(_ bytes: ArraySlice<UInt8>, isNew: Bool) -> Cut? {
        state.withLock { state in
            if isNew { state.roundTrips += 1 }
            guard let cut = state.cut, bytes.firstRange(of: cut.word) != nil else { return nil }
            state.cut = nil
            return cut.where
        }
    }

    private static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if sent <= 0 { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
