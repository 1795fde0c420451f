import Dispatch
import Foundation
import HopCases

/// Runs one variant of a hop, for a tool that counts its instructions and allocations.
///
/// It has no argument parser and little else: the program is built by itself, without dynamic Swift libraries, with which
/// asynchronous code does not run under valgrind everywhere. Two dynamic programs count the cost of automatic mode.
public enum HopCosting {
    private static let usage = "usage: hop-cost --list | --list-plain | hop-cost CASE [--hops N]"

    /// Runs the command line.
    public static func main() {
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            if let listed = arguments.listed {
                for hop in listed { print(hop.name) }
            } else if let hop = (HopCase.all + HopCase.plain).first(where: { $0.name == arguments.name }) {
                run(hop, arguments.hops)
            } else {
                throw UsageError(message: "There is no case \"\(arguments.name)\"; --list lists them.")
            }
        } catch {
            FileHandle.standardError.write(Data("hop-cost: \(error)\n\(usage)\n".utf8))
            exit(64)
        }
    }

    private static func run(_ hop: HopCase, _ hops: Int) {
        guard hop.isInTask else { return hop.run(hops) }
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            hop.run(hops)
            ended.signal()
        }
        ended.wait()
    }
}

/// The arguments of the command line.
private struct Arguments {
    var listed: [HopCase]?
    var name = ""
    var hops = 10_000

    init(_ words: [String]) throws(UsageError) {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--list": listed = HopCase.all
            case "--list-plain": listed = HopCase.plain
            case "--hops": hops = try Self.number(words.popFirst(), for: word, upTo: 100_000_000)
            default: name = word
            }
        }
    }

    private static func number(_ text: String?, for option: String, upTo most: Int) throws(UsageError) -> Int {
        if let number = text.flatMap({ Int($0) }), (1...most).contains(number) { return number }
        throw UsageError(message: "\(option) \(text ?? "") is not a number from 1 to \(most).")
    }
}

private struct UsageError: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
