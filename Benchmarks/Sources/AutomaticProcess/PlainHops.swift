import CAutomaticProcess
import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityAutomaticMode

/// Plain hops, which `MULTI_IDENTITY_PLAIN_HOPS` lists: before and after a signal, in a forked child, and beyond the limit; and reads.
///
/// With `kept` it runs closures of a list. With `signal` it raises SIGUSR1, and waits for the list; with `fork` its child hops once; with `many` it hops to 5,000 queues.
enum PlainHops {
    static func make(as ada: Identity) throws {
        let arguments = CommandLine.arguments
        withIdentity(ada) { for _ in 0..<3 { parentHop() } }
        if arguments.contains("signal") { waitForList() }
        if arguments.contains("fork") {
            let status = hops_fork { withIdentity(try? Identity("ada@contoso.com")) { PlainHops.childHop() } }
            print("child ended with", status)
        }
        if arguments.contains("kept") { keep(as: ada) }
        if arguments.contains("many") { withIdentity(ada) { for number in 0..<5000 { manyHops(number) } } }
    }

    private static func parentHop() {
        let queue = DispatchQueue(label: "parent's")
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

    private static func manyHops(_ number: Int) { DispatchQueue(label: "queue \(number)").async {} }

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
