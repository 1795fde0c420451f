import Foundation
import Synchronization

/// A socket between clients and a server, which counts the round trips that pass, and cuts a connection off where it is asked to.
///
/// A round trip is counted where the client sends something and the server had the last word, or none yet.
public final class Relay: Sendable {
    /// The place at which a connection is cut.
    public enum Cut: Sendable {
        /// Drops all that is sent to the server.
        case beforeTheServer
        /// The server gets it, and its answer does not reach the client.
        case beforeTheAnswer
        /// As that, and the client is left waiting for it.
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

    /// Begins to relay.
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
            // Here, and not where it is stopped: its number must not be the next relay's while this thread still asks for it.
            close(listener)
        }
    }

    deinit { stop() }

    /// The number of round trips so far.
    public var roundTrips: Int { state.withLock { $0.roundTrips } }

    /// Has the next connection that sends this word cut, once.
    ///
    /// - Parameters:
    ///   - word: What is looked for in the client's messages.
    ///   - place: Where it is cut.
    public func cut(at word: String, _ place: Cut) { state.withLock { $0.cut = (Array(word.utf8), place) } }

    /// Takes no more connections, and removes the socket.
    public func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        guard isFirst else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Passes on what client and server say, until one of them has ended, or is to be cut.
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

    /// Counts what the client sent, and returns whether it is to be cut for that.
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
