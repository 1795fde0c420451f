import Dispatch
public import GRDB
import OpenCombine
import OpenCombineDispatch
import Programs

/// A balance from which two withdraw at once.
public func balance(
    of database: DatabaseQueue,
    withdrawing: @escaping @Sendable (DatabaseQueue) throws -> Void
) async throws -> Int {
    try await database.write {
        try $0.execute(sql: "CREATE TABLE account (balance); INSERT INTO account VALUES (100)")
    }
    let group = DispatchGroup()
    for _ in 0..<2 {
        DispatchQueue.global().async(group: group) { try? withdrawing(database) }
    }
    await withCheckedContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume() }
    }
    return try await database.read { try Int.fetchOne($0, sql: "SELECT balance FROM account") ?? 0 }
}

/// Receives what a subject sends on two queues, and returns the order.
public func receiveOnTwoQueues() async throws -> String {
    let log = Log<String>()
    let subject = PassthroughSubject<Int, Never>()
    let group = DispatchGroup()
    let subscriptions = ["a", "b"].map { name in
        subject.receive(on: DispatchQueue(label: name).ocombine).sink {
            log.add("\(name)\($0)")
            group.leave()
        }
    }
    for value in 1...2 {
        for _ in subscriptions { group.enter() }
        subject.send(value)
    }
    await withCheckedContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume() }
    }
    return withExtendedLifetime(subscriptions) { log.all.joined() }
}
