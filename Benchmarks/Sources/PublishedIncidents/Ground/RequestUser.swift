import Foundation
import MultiIdentity

/// The user as programs keep it without this package: in a task-local of their own.
enum RequestUser {
    @TaskLocal static var current: Identity?
}

/// The user as programs kept it before tasks: in a variable of the thread.
enum ThreadUser {
    static var current: Identity? {
        get { Thread.current.threadDictionary["user"] as? Identity }
        set { Thread.current.threadDictionary["user"] = newValue }
    }
}
