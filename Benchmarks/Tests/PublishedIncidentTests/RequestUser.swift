import Foundation
import MultiIdentity

/// The user in programs without this package: in their own task-local.
enum RequestUser {
    @TaskLocal static var current: Identity?
}

/// The user in programs before tasks: in a thread's variable.
enum ThreadUser {
    static var current: Identity? {
        get { Thread.current.threadDictionary["user"] as? Identity }
        set { Thread.current.threadDictionary["user"] = newValue }
    }
}
