import JobQueue
import LedgerService
import Testing

@Suite("The ledger is configured by its environment") struct LedgerConfigurationTests {
    @Test("with defaults for all but the database and the keys")
    func defaults() throws {
        let ledger = try TestedLedger()
        defer { ledger.remove() }
        let configuration = try ledger.configuration()
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.name == "ledger" && configuration.issuer == "web")
        #expect(configuration.jobLease == .milliseconds(700) && configuration.jobConcurrency == 4)
    }

    @Test(
        "and a value that cannot be used stops it, with the variable's name and no key",
        arguments: [
            ("LEDGER_PORT", "http"), ("LEDGER_PORT", "65536"), ("LEDGER_JOB_CONCURRENCY", "0"),
            ("LEDGER_LOG_LEVEL", "loud"),
            ("LEDGER_SYNCHRONOUS", "off"), ("LEDGER_DATABASE", ""), ("LEDGER_CLAIM_KEYS", "one"),
            ("LEDGER_JOB_KEYS", "one:c2VjcmV0"), ("LEDGER_DATABASE", "mysql://app:c2VjcmV0@host/ledger"),
            ("LEDGER_WORKERS_DATABASE", "postgresql://job_worker:c2VjcmV0@host/ledger"),
        ]
    )
    func refused(_ name: String, _ value: String) throws {
        let ledger = try TestedLedger()
        defer { ledger.remove() }
        let error = #expect(throws: LedgerConfiguration.ConfigurationError.self) {
            try ledger.configuration([name: value])
        }
        #expect(error?.description.hasPrefix(name) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("c2VjcmV0") == false)
    }

    @Test("with PostgreSQL where its URL and that of the workers' role are given, and not with one alone")
    func postgreSQL() throws {
        let ledger = try TestedLedger()
        defer { ledger.remove() }
        let (url, workers) = ("postgresql://app:c2VjcmV0@host/ledger", "postgresql://job_worker@host/ledger")
        let database = try ledger.configuration(["LEDGER_DATABASE": url, "LEDGER_WORKERS_DATABASE": workers]).database
        #expect(database == .postgreSQL(url: url, workers: workers) && "\(database)" == "PostgreSQL")
        for bad in [[:], ["LEDGER_WORKERS_DATABASE": "ledger.sqlite"]] {
            let error = #expect(throws: LedgerConfiguration.ConfigurationError.self) {
                try ledger.configuration(bad.merging(["LEDGER_DATABASE": url]) { $1 })
            }
            #expect(error?.description.hasPrefix("LEDGER_WORKERS_DATABASE") == true)
            #expect(error?.description.contains("c2VjcmV0") == false)
        }
    }
}
