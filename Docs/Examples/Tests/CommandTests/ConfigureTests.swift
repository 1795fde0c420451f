import Foundation
import Testing

@Suite("multi-identity configure") struct ConfigureTests {
    private let folder: Folder
    private let path: String

    init() throws {
        folder = try Folder()
        path = folder.path("app.json")
    }

    @Test("check says what means nothing, and changes no file") func check() throws {
        for (text, status) in [("{\"port\": 8080}", Int32(0)), ("{\"multiIdentity\": {\"jittr\": 1}}", 1), ("[]", 78)] {
            try folder.write("app.json", text)
            let outcome = try Program.run(["configure", "check", path])
            #expect(outcome.status == status && outcome.output.contains("jitter") == (status == 1))
            #expect(try String(decoding: folder.read("app.json"), as: UTF8.self) == text)
        }
    }

    @Test("explain says where values come from, and shows no secret") func explain() throws {
        try folder.write("app.json", "{\"multiIdentity\": {\"valuesToScrub\": [\"hunter22\"], \"jitter\": 0.5}}")
        let outcome = try Program.run(["configure", "explain", "--file", path])
        #expect(outcome.status == 0 && !outcome.output.contains("hunter22"))
        #expect(outcome.output.contains("jitter = 0.5 (\(path): line 1)"))
        #expect(try Program.run(["configure", "explain", "jittr"]).status == 64)
    }
}
