import Foundation

/// Checks promises while processes are killed and users leave: check-databases lists them, and starts it.
@main
enum DatabaseStress {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            let options = try Options(Array(words.dropFirst()))
            switch words.first {
            case "clients": try await Clients(options).run()
            case "client": try await Client(options).run()
            case "leavers": try await Leavers(options).run()
            case "leaving-member": try await LeavingMember(options).run()
            default: throw StressError("Write clients or leavers, and their options.")
            }
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// A run that failed, or could not start.
struct StressError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The options of a command: `--name value`, each with a value.
struct Options {
    private let values: [String: String]

    init(_ words: [String]) throws {
        var values: [String: String] = [:]
        for place in stride(from: 0, to: words.count, by: 2) {
            guard words[place].hasPrefix("--"), place + 1 < words.count else {
                throw StressError("\"\(words[place])\" is not an option with a value.")
            }
            values[String(words[place].dropFirst(2))] = words[place + 1]
        }
        self.values = values
    }

    func text(_ name: String) throws -> String {
        if let value = values[name] { return value }
        throw StressError("The option --\(name) is missing.")
    }

    func number<Number: FixedWidthInteger>(_ name: String, or standard: Number? = nil) throws -> Number {
        if values[name] == nil, let standard { return standard }
        if let number = Number(try text(name)) { return number }
        throw StressError("--\(name) \(try text(name)) is not a number.")
    }

    /// The requested fault, if there is one.
    func sabotage<Kind: RawRepresentable<String> & CaseIterable>() throws -> Kind? {
        guard let name = values["sabotage"] else { return nil }
        if let kind = Kind(rawValue: name) { return kind }
        throw StressError("There is no sabotage \(name); there are \(Kind.allCases.map(\.rawValue)).")
    }

    /// The seed of the random numbers; another one each time, unless it is given.
    func seed() throws -> UInt64 { try number("seed", or: .random(in: 0...999_999_999)) }
}

/// Prints a line immediately: buffered output to a file would come at the end, or not at all.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Prints the result of a run, and throws if it failed or did too little to be meaningful.
func conclude(_ held: Bool, wasEnough: Bool = true, seed: UInt64) throws {
    if !held { throw StressError("FAILED (seed \(seed))") }
    if !wasEnough { throw StressError("Too little was done for a result (seed \(seed)).") }
    say("All held.")
}
