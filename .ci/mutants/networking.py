# URL sessions.

TASKS = "Sources/MultiIdentityNetworking/IdentityURLSession+Tasks.swift"
QUESTIONS = "Sources/MultiIdentityNetworking/IdentityURLSession+Questions.swift"

mutant(
    "data-task-uncarried",
    "The completion handler of a data task for a URL is handed over raw.",
    "CompletionTests", TASKS,
    "return base.dataTask(with: url, completionHandler: captured.wrap(completionHandler))",
    "_ = captured\n        return base.dataTask(with: url, completionHandler: completionHandler)",
)
mutant(
    "upload-captured-late",
    "The completion handler of an upload captures when the answer is there.",
    "CompletionTests", TASKS,
    "return base.uploadTask(with: request, from: bodyData, completionHandler: captured.wrap(completionHandler))",
    "_ = captured\n"
    "        return base.uploadTask(with: request, from: bodyData) { data, response, error in\n"
    "            capture(nil, fileID, line).restore { completionHandler(data, response, error) }\n"
    "        }",
)
mutant(
    "resumed-download-uncarried",
    "The completion handler of a download that goes on is handed over raw.",
    "CompletionTests", TASKS,
    "return base.downloadTask(withResumeData: resumeData, completionHandler: captured.wrap(completionHandler))",
    "_ = captured\n        return base.downloadTask(withResumeData: resumeData, completionHandler: completionHandler)",
)
mutant(
    "question-about-tasks-uncarried",
    "The answer to what tasks there are comes as whatever its worker is.",
    "SessionTests", QUESTIONS,
    "base.getAllTasks(completionHandler: capture(nil, fileID, line).wrap(completionHandler))",
    "base.getAllTasks(completionHandler: completionHandler)",
)
