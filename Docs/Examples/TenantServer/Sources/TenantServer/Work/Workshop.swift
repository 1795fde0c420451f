import Foundation

/// All that the routes work with.
struct Workshop: Sendable {
    let account = Account()
    let library: ReportLibrary
    let queue: any WorkQueue
    let pipeline: Pipeline
    let cache: TenantCache
    let files: TenantFiles
    let feed: EventFeed
    let background: BackgroundWork
    let records: RecordFile
    let jobs: any JobEnqueuing
    let ledger: any LedgerCalling

    /// - Parameters:
    ///   - keeping: The way in which the user of work is kept.
    ///   - dataFolder: Where files and records go; made if it is not there.
    ///   - jobs: Where jobs go, or `nil` for this process's memory.
    ///   - ledger: The other process, or `nil` for this one.
    ///   - storage: Where tenants' files lie, or `nil` for plain files below the data folder.
    /// - Throws: What the file system throws.
    init(
        keeping: IdentityKeeping,
        dataFolder: String,
        jobs: (any JobEnqueuing)? = nil,
        ledger: (any LedgerCalling)? = nil,
        storage: (any FileStorage)? = nil
    ) throws {
        try FileManager.default.createDirectory(atPath: dataFolder + "/files", withIntermediateDirectories: true)
        library = ReportLibrary(template: dataFolder + "/template.txt")
        try Data(String(repeating: "Dear customer,\n", count: 256).utf8).write(
            to: URL(filePath: library.template),
            options: .atomic
        )
        queue = keeping.queue(label: "tenant.blocking", attributes: .concurrent)
        pipeline = Pipeline(keeping: keeping)
        cache = TenantCache(queue: queue, library: library)
        files = TenantFiles(
            storage: storage ?? PlainFiles(root: dataFolder + "/files"),
            queue: keeping.queue(label: "tenant.files", attributes: .concurrent)
        )
        feed = EventFeed(queue: keeping.queue(label: "tenant.events"))
        background = BackgroundWork(keeping: keeping)
        records = try RecordFile(path: dataFolder + "/background.jsonl")
        self.jobs = jobs ?? JobsInMemory(background: background, records: records)
        self.ledger = ledger ?? LedgerInProcess(queue: keeping.queue(label: "tenant.ledger"))
    }
}
