@preconcurrency import Dispatch
import MultiIdentityScheduling
@_spi(Checks) import MultiIdentityTesting
import Synchronization

/// A small program made from a seed: work items that record notes in checked values, hand over, signal and wait.
struct RandomProgram: Sendable {
    private indirect enum Action: Sendable {
        case note(Int, value: Int)
        case handOver(Piece)
        case runAtOnce(Piece)
        case signal
        case wait(Int)
        case suspendAndResume
    }

    private struct Piece: Sendable {
        var isOnConcurrent: Bool
        var isBarrier: Bool
        var isCounted: Bool
        var isCancelled: Bool
        var actions: [Action]
    }

    /// The objects of one run.
    final class Run: Sendable {
        fileprivate let serial = DispatchQueue(label: "serial")
        fileprivate let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
        fileprivate let group = DispatchGroup()
        fileprivate let semaphore = DispatchSemaphore(value: 0)
        fileprivate let values = [RaceChecked<[Int]>([]), RaceChecked<[Int]>([])]

        /// The notes, in order.
        var outcome: [[Int]] { values.map(\.value) }
    }

    let workers: Int?
    private let workItems: [Piece]
    private let isNotified: Bool

    init(seed: UInt64) {
        var (generator, number) = (SeededGenerator(seed: seed), 0)
        func action(_ depth: Int, isOnConcurrent: Bool) -> Action {
            number += 1
            switch Int.random(in: 0..<12, using: &generator) {
            case 0..<4 where depth == 0: return .handOver(workItem(depth + 1))
            case 4 where depth == 0 && isOnConcurrent:
                var inner = workItem(depth + 1)
                inner.isOnConcurrent = false
                return .runAtOnce(inner)
            case 5: return .signal
            case 6: return .wait(number)
            case 7: return .suspendAndResume
            default: return .note(number, value: Int.random(in: 0..<2, using: &generator))
            }
        }
        func workItem(_ depth: Int) -> Piece {
            let isOnConcurrent = Bool.random(using: &generator)
            return Piece(
                isOnConcurrent: isOnConcurrent,
                isBarrier: isOnConcurrent && Int.random(in: 0..<3, using: &generator) == 0,
                isCounted: Int.random(in: 0..<3, using: &generator) == 0,
                isCancelled: Int.random(in: 0..<8, using: &generator) == 0,
                actions: (0..<Int.random(in: 1...(2 - depth), using: &generator)).map { _ in
                    action(depth, isOnConcurrent: isOnConcurrent)
                }
            )
        }
        workItems = (0..<Int.random(in: 2...3, using: &generator)).map { _ in workItem(0) }
        isNotified = Bool.random(using: &generator)
        workers = [nil, 2, 3].randomElement(using: &generator) ?? nil
    }

    func run(_ run: Run) {
        for workItem in workItems { handOver(workItem, run) }
        if isNotified { run.group.notify(queue: run.concurrent) { run.values[0].value.append(0) } }
    }

    private func handOver(_ workItem: Piece, _ run: Run) {
        let queue = workItem.isOnConcurrent ? run.concurrent : run.serial
        let item = DispatchWorkItem(flags: workItem.isBarrier ? .barrier : []) { perform(workItem.actions, run) }
        if workItem.isCounted { queue.async(group: run.group, execute: item) } else { queue.async(execute: item) }
        if workItem.isCancelled { run.concurrent.async { item.cancel() } }
    }

    private func perform(_ actions: [Action], _ run: Run) {
        for action in actions {
            switch action {
            case .note(let number, let value): run.values[value].value.append(number)
            case .handOver(let workItem): handOver(workItem, run)
            case .runAtOnce(let workItem): run.serial.sync { perform(workItem.actions, run) }
            case .signal: run.semaphore.signal()
            case .wait(let number):
                let isSignalled = run.semaphore.wait(timeout: .now() + .seconds(1)) == .success
                run.values[1].value.append(isSignalled ? number : -number)
            case .suspendAndResume:
                run.concurrent.suspend()
                run.concurrent.resume()
            }
        }
    }
}
