import CAutomaticProcess
import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityAutomaticMode

/// Plain hops, which `MULTI_IDENTITY_PLAIN_HOPS` lists: before and after a signal, in a forked child, and beyond the limit; and
/// reads.
///
/// With `kept` it runs closures of a list. With `signal` it raises SIGUSR1, and waits for the list; with `many` it hops to 5,000
/// queues; with `fork` its child hops once.
enum PlainHops {
    static func make(as ada: Identity) throws {
        let arguments = CommandLine.arguments
        withIdentity(ada) { for _ in 0..<3 { hop(on: "parent's") } }
        if arguments.contains("signal") { waitForList() }
        if arguments.contains("many") { withIdentity(ada) { for number in 0..<5000 { hop(on: "queue \(number)") } } }
        if arguments.contains("fork") {
            let status = hops_fork {
                withIdentity(try? Identity("ada@contoso.com")) { PlainHops.childHop() }
                if CommandLine.arguments.contains("signal") { PlainHops.waitForList() }
            }
            print("child ended with", status)
        }
        if arguments.contains("kept") { keep(as: ada) }
    }

    private static func hop(on label: String) {
        let queue = DispatchQueue(label: label)
        let isDone = DispatchSemaphore(value: 0)
        queue.async {
            precondition(Identity.current != nil)
            isDone.signal()
        }
        isDone.wait()
    }

    // No worker survives a fork, so nothing runs it.
    private static func childHop() { DispatchQueue(label: "child's").async {} }

    private static func keep(as ada: Identity) {
        var kept: [() -> Void] = []
        withIdentity(ada) { for _ in 0..<2 { kept.append { readKept() } } }
        DispatchQueue(label: "sweeper").sync { kept.forEach { $0() } }
    }

    private static func readKept() { _ = try? Identity.required() }

    /// Raises the signal, with standard error in a pipe, and copies its first line to standard output.
    private static func waitForList() {
        let (pipe, own) = (Pipe(), dup(STDERR_FILENO))
        dup2(pipe.fileHandleForWriting.fileDescriptor, STDERR_FILENO)
        kill(getpid(), SIGUSR1)
        let list = pipe.fileHandleForReading.availableData
        dup2(own, STDERR_FILENO)
        print("at the signal:", String(decoding: list, as: UTF8.self))
        fflush(nil)
    }
}
