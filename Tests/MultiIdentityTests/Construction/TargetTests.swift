import Foundation
import Testing

@Suite("For a target") struct TargetTests {
    /// Compiles the header that every file of this package includes, and returns the messages of the C compiler.
    private static func compile(for target: String) throws -> (isCompiled: Bool, text: String) {
        let header = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(
                path: "Sources/CMultiIdentity/include/Word.h"
            )
        let (compiler, output) = (Process(), Pipe())
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["clang", "-target", target, "-ffreestanding", "-fsyntax-only", "-x", "c", header.path]
        compiler.standardError = output
        try compiler.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        return (compiler.terminationStatus == 0, text)
    }

    private static let hasCompiler = (try? compile(for: "x86_64-unknown-linux-gnu").isCompiled) == true

    @Test("with 64-bit words it is built", arguments: ["aarch64-unknown-linux-gnu", "arm64-apple-ios18.0"])
    func built(_ target: String) throws {
        guard Self.hasCompiler else { return }
        #expect(try Self.compile(for: target).isCompiled)
    }

    @Test(
        "with 32-bit words it is refused with a message",
        arguments: ["arm64_32-apple-watchos11.0", "armv7-unknown-linux-gnueabihf", "i686-unknown-linux-gnu"]
    )
    func refused(_ target: String) throws {
        guard Self.hasCompiler else { return }
        let (isCompiled, text) = try Self.compile(for: target)
        #expect(!isCompiled && text.contains("needs words of 64 bits"))
    }
}
