import ArgumentParser
import CCosts
import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityProtection

/// Wipes one of many accounts, and measures the effect on others.
struct Wipe: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Wipes one account's files among many, and measures the effect on others.",
        discussion: """
            A tenth of the files is the account's. Others read and replace files meanwhile, in turns: while the wipe works, \
            and while it is held up where it rests anyway. A second, smaller wipe is traced: it may open no file of others, \
            and with an index it may not name one. Needs strace and a file system with extended attributes.
            """
    )

    @Option(help: "Where owners are stored: attributes or index.")
    var records = Records.index

    @Option(help: "The number of files.")
    var files = 100_000

    @Option(help: "The seconds of a turn.")
    var turn = 1.0

    @Option(help: "The folder of the files.")
    var folder = FileManager.default.currentDirectoryPath

    enum Records: String, ExpressibleByArgument { case attributes, index }

    func run() throws {
        var limits = Limits()
        try withTemporaryFolder(in: folder) { folder in
            let tree = try WipedTree(folder, records, files: files)
            let others = try Others(tree.files)
            let turns = try WipeTurns(others, .seconds(turn)).run { try tree.wipe() }
            limits.hold("the share of the processors that the wipe took", turns.share * 100, atMost: 3, "%")
            let (slowdown, least) = turns.slowdown
            print("       others were slower by \((slowdown * 100).figure) %, in \(turns.pairs.count) pairs of turns")
            limits.hold("at least by", least * 100, atMost: 3, "%")
        }
        try holdCalls(&limits)
        try limits.end()
    }

    /// Checks the calls of a wipe of 1,000 files among 10,000.
    private func holdCalls(_ limits: inout Limits) throws {
        let run = CountedRun(arguments: ["wipe-once", records.rawValue, folder])
        let lines = try run.trace(10_000, ["-s", "200", "-e", "trace=%file,%desc"]).drop {
            !$0.contains("/costs-begin")
        }
        .prefix { !$0.contains("/costs-end") }
        // Content that is read and written is shown too, such as the index, which names others.
        let content = /^\d+ +(p?(read|write)v?(64)?|getdents64)\(/
        let about = lines.filter {
            $0.contains("bob~") && !$0.contains("resumed>") && $0.firstMatch(of: content) == nil
        }
        let opened = about.filter { $0.contains(" open") }
        limits.hold("files of others that were opened", Double(opened.count), atMost: 0, "")
        let most = records == .index ? 0 : 9_000.0
        limits.hold("calls about 9,000 files of others", Double(about.count), atMost: most, "")
    }
}

/// Makes files and wipes an account: `costs wipe` traces it.
struct WipeOnce: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "wipe-once", shouldDisplay: false)

    @Argument var records: Wipe.Records
    @Argument var folder: String
    @Argument var files: Int

    func run() throws {
        try withTemporaryFolder(in: folder) { folder in
            let tree = try WipedTree(folder, records, files: files, yields: false)
            _ = access("/costs-begin", F_OK)  // to be found in the trace
            try tree.wipe()
            _ = access("/costs-end", F_OK)
        }
    }
}

/// Ada's files, one in ten, among Bob's.
struct WipedTree: Sendable {
    let files: IdentityFileSystem
    private let ada: Identity
    private let wiped: IdentityWipe
    private let count: Int

    init(_ folder: String, _ records: Wipe.Records, files count: Int, yields: Bool = true) throws {
        let root = "\(folder)/root"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
        files = try IdentityFileSystem(
            root: root,
            records: records == .attributes ? .attributes : .index(in: "\(folder)/index")
        )
        ada = try Identity("ada")
        wiped = try IdentityWipe(
            journals: "\(folder)/journals",
            accounts: Everyone(),
            storages: [files],
            yields: yields
        ) {
            _ in .notRemoved
        }
        self.count = count
        sync_skip_set(true)  // otherwise each record would be synchronized
        for number in 0..<count {
            if number % 1_000 == 0 { try files.makeDirectory("\(number / 1_000)") }
            let owner = number % 10 == 0 ? "ada" : "bob"
            let name = "\(number / 1_000)/\(owner)~\(number)"
            _ = FileManager.default.createFile(atPath: "\(root)/\(name)", contents: Data())
            try files.setOwner(.identity(Identity(owner)), of: name)
        }
        sync_skip_set(false)
        sync()
    }

    /// Wipes ada, and waits for it.
    func wipe() throws {
        let ended = DispatchSemaphore(value: 0)
        let result = Locked<Result<WipeReport, any Error>?>(nil)
        Task {
            do { result.value = .success(try await wiped.wipe(ada)) } catch { result.value = .failure(error) }
            ended.signal()
        }
        ended.wait()
        guard let report = try result.value?.get(), report.isComplete, report.files == (count + 9) / 10 else {
            throw ValidationError("The wipe is not complete.")
        }
    }
}
