import ArgumentParser
import Foundation
import MultiIdentity
import MultiIdentityFiles

/// Counts the cost of reading the owner of a file.
struct Owners: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts the system calls and instructions of reading the owner of a file.",
        discussion: """
            Needs strace and valgrind. The bare row makes the system call that attributes need, and nothing else. An index \
            checks the file, and its log, which another process may have written to.
            """
    )

    func run() throws {
        var limits = Limits()
        for way in OwnerLoop.Way.allCases {
            let run = CountedRun(arguments: ["owner-loop", way.rawValue])
            let calls = try run.systemCalls()
            let found = calls.map { "\($0.key) \($0.value.figure)" }.sorted().joined(separator: ", ")
            limits.hold("\(way): its system calls and no others", calls == way.calls, found)
            let instructions = try run.instructions()
            if let most = way.mostInstructions {
                limits.hold("\(way)", instructions, atMost: most, "instructions")
            } else {
                print("       \(way): \(instructions.figure) instructions")
            }
        }
        try limits.end()
    }
}

/// Reads the owner of one file repeatedly: `costs owners` counts it.
struct OwnerLoop: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "owner-loop", shouldDisplay: false)

    enum Way: String, CaseIterable, ExpressibleByArgument {
        case bare, attributes, index

        var calls: [String: Double] { self == .index ? ["statx": 2] : ["lgetxattr": 1] }

        /// Without those of the kernel.
        var mostInstructions: Double? { [.attributes: 15_500, .index: 3_200][self] }
    }

    @Argument var way: Way
    @Argument var count: Int

    func run() throws {
        // Not in the folder for temporary files, which may be in memory and without attributes.
        try withTemporaryFolder(in: FileManager.default.currentDirectoryPath) { folder in
            let (name, owner) = ("report.txt", try Identity("ada@contoso.com"))
            try FileManager.default.createDirectory(atPath: "\(folder)/root", withIntermediateDirectories: false)
            let files = try IdentityFileSystem(
                root: "\(folder)/root",
                records: way == .index ? .index(in: "\(folder)/index") : .attributes
            )
            try withIdentity(owner) { try files.replace(name, with: [1]) }
            if way == .bare { return try askBarely("\(folder)/root/\(name)") }
            for _ in 0..<count where try files.owner(of: name) != .identity(owner) {
                throw ValidationError("The owner is wrong.")
            }
        }
    }

    private func askBarely(_ path: String) throws {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_000, alignment: 1)
        defer { bytes.deallocate() }
        // By its name, since the library's module does not export its header.
        typealias GetAttribute =
            @convention(c) (
                UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int
            ) -> Int
        guard let symbol = dlsym(nil, "lgetxattr") else { throw ValidationError("There is no lgetxattr.") }
        let lgetxattr = unsafeBitCast(symbol, to: GetAttribute.self)
        for _ in 0..<count where lgetxattr(path, "user.multi-identity.owner", bytes.baseAddress, 2_000) <= 0 {
            throw ValidationError("There is no such attribute.")
        }
    }
}
