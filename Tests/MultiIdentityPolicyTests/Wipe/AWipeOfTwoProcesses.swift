import Foundation
import MultiIdentity
import MultiIdentityProtection
import Testing

#if compiler(>=6.3)  // an exit test that captures
/// Two processes that share files, index, keys and journals.
@Suite("A wipe that two processes know of") struct AWipeOfTwoProcesses {
    let folder = TemporaryFolder()

    @Test(
        "is run by one of them, and completed by the other once that is killed",
        .rule("13.4"),
        .enabled(if: !Sanitizer.isOn, "each process is slow to begin"),
        arguments: Keeping.allCases
    )
    func isRunByOneAndEndedByTheOther(_ records: Keeping) async throws {
        let path = folder.path
        let id = path.split(separator: "-").last ?? ""
        let (ada, bob) = (Users.named("ada-\(id)@contoso.com"), Users.named("bob-\(id)@contoso.com"))
        let place = try AWipeOfFilesAndKeys.Place(path, records)
        try place.fill(ada)
        try place.fill(bob)
        let wipe = try place.wipe()
        #expect(mkfifo(folder / "begun", 0o600) == 0)
        async let other: Void = run(path, records, ada)
        // The other process has begun, and has reached the program's own removals: it says which process it is.
        let text = await onNewThread { [folder] in
            let begun = FileHandle(forReadingAtPath: folder / "begun")
            return String(decoding: begun?.readDataToEndOfFile() ?? Data(), as: UTF8.self)
        }
        let process = try #require(Int32(text))
        await expect(throws: ProtectionError.Code.inUse) { try await wipe.wipe(ada) }
        #expect(try await wipe.resume().map(\.state) == [.inUse])
        #expect(try place.isUntouched(bob))
        #expect(kill(process, SIGKILL) == 0)
        await other
        let report = try #require(try await wipe.resume().first?.report)
        #expect(report.isComplete && report.runs == 2)
        #expect(try place.isGone(ada) && place.isUntouched(bob))
        #expect(try await wipe.resume().isEmpty)
        for file in ["index", "keys"] {
            for name in try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(file)") {
                let data = FileManager.default.contents(atPath: "\(path)/\(file)/\(name)") ?? Data()
                #expect(data.range(of: Data(ada.name.utf8)) == nil, "\(file)/\(name)")
            }
        }
    }

    private func run(_ path: String, _ records: Keeping, _ ada: Identity) async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, records = records as Keeping, name = ada.name as String] in
            alarm(120)  // in case the other process does not end this one
            closeInheritedPipes()
            let place = try AWipeOfFilesAndKeys.Place(path, records)
            let wipe = try IdentityWipe(
                journals: place.journals,
                accounts: place,
                storages: [place.files],
                keys: place.keys
            ) { _ in
                let begun = FileHandle(forWritingAtPath: path + "/begun")
                begun?.write(Data("\(getpid())".utf8))
                try begun?.close()
                while true { pause() }
            }
            _ = try await wipe.wipe(Identity(name))
        }
    }
}

/// Closes the pipes that this process inherited.
///
/// These may include pipes on which other processes, started at the same time, report to their tests. Each test reads its own pipe to
/// the end, on one of the few threads that run tasks. With a pipe open here, the tasks that must end this process would wait for its
/// end.
private func closeInheritedPipes() {
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for descriptor in open.compactMap({ Int32($0) }) where descriptor > STDERR_FILENO {
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO { close(descriptor) }
    }
}
#endif
