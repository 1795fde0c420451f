import Foundation

/// Counts the plain hops of a package: `plain-hops`, which `CountOptions.usage` describes.
package enum CountCommand {
    /// Runs the command.
    ///
    /// - Parameter arguments: Its options.
    /// - Returns: The exit status: 1 if there are more hops than allowed, or the package does not compile.
    package static func run(_ arguments: [String]) -> Int32 {
        do {
            let options = try CountOptions(arguments)
            if options.help {
                print(CountOptions.usage)
                return 0
            }
            return try run(options)
        } catch let mistake as CountOptions.Mistake {
            note("error: \(mistake.reason)\n\n\(CountOptions.usage)")
            return 64
        } catch let failure as PackageCopy.Failure {
            note("error: \(failure.reason)")
        } catch {
            note("error: \(error)")
        }
        return 1
    }

    private static func run(_ options: CountOptions) throws -> Int32 {
        let start = ContinuousClock.now
        // Before minutes of building.
        let baseline =
            try options.writesBaseline ? nil : options.baseline.map { try HopBaseline(contentsOf: options.file($0)) }
        // The plugin's errors go where its output goes, which another program reads.
        func progress(_ text: String) { if options.format == .text { note(text) } }
        progress("Building a copy in \(options.work.path(percentEncoded: false))…")
        var copy = try CountedCopy(options)
        try copy.count()
        if options.fixes {
            let fix = try copy.fix(note: progress)
            try copy.write(fix)
            for (target, products) in fix.missing.sorted(by: { $0.key < $1.key }) {
                progress("\(target) has queues to change, if its manifest depends on \(products.sorted().formatted()).")
            }
            for queue in fix.left {
                progress(
                    "\(queue.file):\(queue.line): this \(queue.kind.plain) stays, since the code does not compile otherwise."
                )
            }
            progress("Changed \(fix.changed.count) declarations.")
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let counted = HopBaseline(copy.hops, incomplete: copy.incomplete)
        let allowed = baseline ?? (options.errors ? HopBaseline([]) : nil)
        let report = HopReport(
            package: copy.description.name,
            hops: copy.hops,
            targets: copy.counted.map(\.name),
            uncounted: copy.uncounted,
            excused: copy.excused,
            seconds: seconds,
            changes: options.writesBaseline ? nil : allowed?.changes(to: counted, where: copy.isCounted)
        )
        let text = try report.written(as: options.format, listing: options.list)
        if let output = options.output {
            try text.write(to: options.file(output), atomically: true, encoding: .utf8)
        } else {
            print(text, terminator: "")
        }
        if options.writesBaseline, let file = options.baseline { try counted.write(to: options.file(file)) }
        if report.excess > 0 { note("error: plain hops that are not allowed: \(report.excess)") }
        let unknown = allowed.map { copy.incomplete.subtracting($0.incomplete).sorted() } ?? []
        if !unknown.isEmpty, !options.writesBaseline { note("error: not counted: \(unknown.joined(separator: ", "))") }
        return report.excess == 0 && (unknown.isEmpty || options.writesBaseline) ? 0 : 1
    }

    private static func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
