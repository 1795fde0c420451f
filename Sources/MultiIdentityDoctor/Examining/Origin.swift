import Dispatch
import Foundation

/// Whence a boundary is crossed: how the thread level is stored differs there.
package enum Origin: Sendable, CaseIterable {
    case thread, worker, task

    func run(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .thread: Thread.detachNewThread(body)
        case .worker: DispatchQueue(label: "identity-doctor.origin").async(execute: body)
        case .task: Task.detached { body() }
        }
    }
}
