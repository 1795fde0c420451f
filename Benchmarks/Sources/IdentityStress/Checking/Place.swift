/// A place in a hop where something is checked.
enum Place: String, Sendable, Encodable {
    case work = "in the work"
    case insideAnother = "in the work, inside another identity's scope"
    case afterAnother = "in the work, after another identity's scope"
    case nestedSync = "in the work, inside a nested sync"
    case secondPart = "in the second part of the work"
    case companion = "in another identity's work that goes before"
    case caller = "at the caller, after handing over"
    case driver = "at the thread where the request began, after it"
    case worker = "at the worker, after the work"
}
