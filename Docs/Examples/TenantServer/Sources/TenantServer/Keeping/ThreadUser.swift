import Foundation

/// The user in a thread-local: what is often written by hand, and wrong.
///
/// A task goes on on another thread after it waited, a queue's work runs on a worker of its own: the thread-local there
/// holds nothing, or what another request left.
enum ThreadUser {
    private static let key = "tenant.user"

    static var current: String? {
        get { Thread.current.threadDictionary[key] as? String }
        set { Thread.current.threadDictionary[key] = newValue }
    }
}
