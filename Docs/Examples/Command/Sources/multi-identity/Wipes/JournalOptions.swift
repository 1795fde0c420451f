import ArgumentParser

/// The option that says where journals of wipes are.
struct JournalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the wipes' journals, for them alone; else MULTI_IDENTITY_JOURNALS.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var journals: String?

    /// The folder.
    var path: String {
        get throws(CommandFailure) { try Setting.journals.required(journals, "--journals") }
    }
}
