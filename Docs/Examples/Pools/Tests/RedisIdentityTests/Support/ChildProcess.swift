import Foundation
import Synchronization

/// A program that ends with this process at the latest, whatever ends that.
struct ChildProcess: Sendable {
    let number: pid_t

    /// Starts a program by its path, with a file for what it writes.
    ///
    /// By a thread that never ends: the system ends the program with the thread that started it (`PR_SET_PDEATHSIG`).
    init(_ command: [String], log: String) throws {
        let started = Mutex<Result<pid_t, RedisServer.Unusable>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Starter.shared.add {
            started.withLock { $0 = Self.start(["/usr/bin/setpriv", "--pdeathsig", "KILL"] + command, log) }
            isDone.signal()
        }
        isDone.wait()
        guard let outcome = started.withLock({ $0 }) else {
            throw RedisServer.Unusable(description: "Nothing was started.")
        }
        number = try outcome.get()
    }

    /// Ends it as a crash would, and waits until it is gone.
    func kill() {
        Foundation.kill(number, SIGKILL)
        var status: Int32 = 0
        while waitpid(number, &status, 0) == -1, errno == EINTR {}
    }

    private static func start(_ command: [String], _ log: String) -> Result<pid_t, RedisServer.Unusable> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let arguments = command.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        var number = pid_t()
        let failure = posix_spawn(&number, command[0], &actions, nil, arguments + [nil], environ)
        if failure == 0 { return .success(number) }
        return .failure(
            RedisServer.Unusable(description: "\(command) cannot be started: \(String(cString: strerror(failure)))")
        )
    }
}

/// The thread that starts programs.
private final class Starter: Sendable {
    static let shared = Starter()

    private let work = Mutex<[@Sendable () -> Void]>([])
    private let isThere = DispatchSemaphore(value: 0)

    private init() {
        Thread.detachNewThread { [self] in
            while true {
                isThere.wait()
                work.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
            }
        }
    }

    func add(_ body: @escaping @Sendable () -> Void) {
        work.withLock { $0.append(body) }
        isThere.signal()
    }
}
