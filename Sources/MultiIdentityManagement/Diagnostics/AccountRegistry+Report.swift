import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Returns a report of what is in force and why: version, levels, accounts, settings with their sources, and events.
    ///
    /// - Parameters:
    ///   - sections: Additional sections, such as the doctor's result or the age of ``RemotePolicies``.
    ///   - limit: The maximum number of accounts in each stage, and of events.
    /// - Returns: The report, scrubbed as the settings say.
    /// - Throws: ``ManagementError`` if the store fails.
    /// - Complexity: O(*n*) in the limit.
    public func report(
        including sections: [ManagementReport.Section] = [],
        limit: Int = 100
    ) throws(ManagementError) -> ManagementReport {
        let (records, events, now) = try reading {
            transaction -> ([AccountRecord], [AccountEvent], WallInstant) in
            var records: [AccountRecord] = []
            for stage in AccountRecord.Stage.allCases {
                records += try transaction.accounts(stage, after: nil, limit: limit + 1)
            }
            let last = try transaction.lastEvent()
            let events = try transaction.events(after: max(0, last &- Int64(limit)), limit: limit)
            return (records, events, try transaction.time().now)
        }
        let warnings = configuration.warnings + scrubber.warnings
        let parts = [
            ManagementReport.Section("runtime", runtimeRows),
            ManagementReport.Section("settings", settingRows),
            ManagementReport.Section("warnings", warnings.map { ManagementReport.Row("setting", $0) }),
            ManagementReport.Section("accounts", rows(of: records, limit, now)),
            ManagementReport.Section("events", events.map { .init("\($0.moment)", $0.description) }),
        ]
        return ManagementReport(parts + sections, scrubber)
    }

    private var runtimeRows: [ManagementReport.Row] {
        ManagementReport.Section.runtime(accounts.levels).rows + [
            .init("time", "\(time.now)"),
            .init("mode", "\(accounts.mode)"),
            .init("managed", "\(accounts.enrolledIdentities.count)"),
        ]
    }

    private var settingRows: [ManagementReport.Row] {
        ManagementSetting.allCases.map { .init($0.rawValue, configuration.explanation(of: $0)) }
    }

    private func rows(of records: [AccountRecord], _ limit: Int, _ now: WallInstant) -> [ManagementReport.Row] {
        AccountRecord.Stage.allCases.flatMap { stage in
            let found = records.filter { $0.stage == stage }
            let rows = found.prefix(limit).map { ManagementReport.Row("\($0.identity)", words(of: $0, now)) }
            return rows + (found.count > limit ? [.init(stage.rawValue, "there are more than \(limit)")] : [])
        }
    }

    private func words(of record: AccountRecord, _ now: WallInstant) -> String {
        var words = [record.stage.rawValue, "\(record.runs) requests"]
        if let lastRun = record.lastRun {
            words.append("the last one ended \(Self.hours(lastRun.duration(to: now))) ago")
        }
        if record.lease != nil { words.append("one runs now") }
        if let due = record.due { words.append("the next is due in \(Self.hours(now.duration(to: due)))") }
        if record.stage == .enrolled {
            let age = record.policyConfirmed.map { ", confirmed \(Self.hours($0.now.duration(to: now))) ago" } ?? ""
            words.append((record.policyText == nil ? "policy of the source" : "own policy") + age)
            if record.silence != .heard { words.append(record.silence.isBlocked ? "blocked" : "warned of") }
        }
        if record.configurationText != nil { words.append("configuration") }
        if let own = try? AccountSettings(stored: record.overridesText, of: record.identity), !own.names.isEmpty {
            words.append("own settings: \(own.names.joined(separator: ", "))")
        }
        return words.joined(separator: ", ")
    }

    private static func hours(_ duration: Duration) -> String {
        let minutes = duration.components.seconds / 60
        return "\(minutes / 60) h \(minutes % 60) min"
    }
}
