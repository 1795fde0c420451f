import Foundation
import MultiIdentity

@testable import SCIMUsers

/// The first byte says what the rest is; that of a directory here, and that of tokens in ``Tokens``.
///
/// 0: a filter, and 1: the path of a patch; what is read has the same names and operators, is the same written and read
/// again, and finds the same users; whom an index is asked for has that name. 2: a user in JSON, and 3: a patch; bodies nest 16 levels at most, in UTF-8, and are
/// the same written anew; users obey the schema before and after, and are who their userName says. 4: the query of a URL, and
/// 5: a search; a page is no longer than it may be, and shows nothing that a user has not.
enum Directory {
    static func check(_ bytes: [UInt8]) -> Bool {
        guard let kind = bytes.first else { return false }
        let rest = Array(bytes.dropFirst())
        let text = String(validating: rest, as: UTF8.self)
        switch kind {
        case 0:
            guard let text else { return false }
            filter(text)
        case 1:
            guard let text else { return false }
            path(text)
        case 2:
            guard let body = body(rest), let user = try? UserAttributes(body, orActive: true) else { return true }
            requireValid(user)
            require(body.members?["username"] == .text(user.identity.name), "\(body) is \(user.identity)")
        case 3: patch(rest)
        case 4:
            guard let text else { return false }
            (try? UserQuery(text)).map(page)
        case 5: body(rest).flatMap { try? UserQuery(search: $0) }.map(page)
        default: return Tokens.check(kind, rest)
        }
        return true
    }

    private static let users: [UserAttributes] = [
        #"{"userName": "Ada@contoso.com", "externalId": "7", "name": {"familyName": "Lovelace"}, "emails": [{"value": "ada@work", "type": "work", "primary": true}, {"value": "ada@home", "type": "home"}]}"#,
        #"{"userName": "bob", "active": "False", "title": "a \"b\" ë", "phoneNumbers": [{"value": "1"}]}"#,
        #"{"userName": "Zoë", "displayName": "", "locale": "de", "emails": {"display": "z"}}"#,
    ].map { text in
        guard let body = try? AttributeValue.read(Data("\(text.dropLast())\(schemas)".utf8)),
            let user = try? UserAttributes(body, orActive: true)
        else { fatalError("this is no user: \(text)") }
        return user
    }

    private static let schemas = #", "schemas": ["\#(UserSchema.uri)"]}"#

    private static func filter(_ text: String) {
        do throws(SCIMError) {
            let filter = try UserFilter(text)
            let written = FilterText.of(filter)
            require(FilterText.words(of: written) == FilterText.words(of: text), "\(text) was read as \(written)")
            // Escapes can be longer, and the value of an attribute is named.
            guard written.utf8.count <= 2_048 else { return }
            let again = try UserFilter(written)
            require(FilterText.of(again) == written, "\(text) became \(written), and that \(FilterText.of(again))")
            for user in users {
                let matches = filter.matches(user.values)
                require(again.matches(user.values) == matches, "\(written) does not find as \(text) does")
                if matches, let name = filter.required("userName") {
                    require((try? Identity(name)) == user.identity, "\(text) finds \(user.identity) by \(name)")
                }
                if matches, let id = filter.required("externalId") {
                    require(user.externalID == id, "\(text) finds \(user.identity) by the id \(id)")
                }
            }
        } catch {
            require(error.kind == .invalidFilter, "\(error): \(text)")
        }
    }

    private static func path(_ text: String) {
        do throws(SCIMError) {
            guard let path = try AttributePath.ofPatch(text) else { return }
            let written = FilterText.of(path)
            require(FilterText.words(of: written) == FilterText.words(of: text), "\(text) was read as \(written)")
            guard written.utf8.count <= 2_048, path.attribute.name != UserSchema.id.name else { return }
            guard let again = try AttributePath.ofPatch(written) else { fatalError("\(written) is passed over") }
            require(FilterText.of(again) == written, "\(text) became \(written), and that \(FilterText.of(again))")
        } catch {
            require([.invalidPath, .invalidFilter, .mutability].contains(error.kind), "\(error): \(text)")
        }
    }

    private static func body(_ bytes: [UInt8]) -> AttributeValue? {
        do throws(SCIMError) {
            let body = try AttributeValue.read(Data(bytes))
            require(depth(body) <= 16, "the body nests \(depth(body)) levels")
            require(String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0), "the body is not in UTF-8")
            guard let written = try? JSONEncoder().encode(body) else { fatalError("cannot write \(body)") }
            require(try AttributeValue.read(written) == body, "\(body) is another once it is written")
            return body
        } catch {
            require(error.kind == .invalidSyntax, "\(error)")
            return nil
        }
    }

    private static func depth(_ value: AttributeValue) -> Int {
        switch value {
        case .list(let elements): 1 + (elements.map(depth).max() ?? 0)
        case .object(let members): 1 + (members.values.map(depth).max() ?? 0)
        default: 0
        }
    }

    private static func patch(_ bytes: [UInt8]) {
        guard let body = body(bytes), let patch = try? UserPatch(body) else { return }
        for user in users {
            if let patched = try? patch.applied(to: user) { requireValid(patched) }
        }
    }

    private static func requireValid(_ user: UserAttributes) {
        require((try? UserAttributes(user.values)) == user, "the attributes change when they are checked: \(user)")
        require(user.values["userName"]?.text == user.identity.name, "\(user.identity) has another name")
        let known = Set(UserSchema.writable.map(\.name))
        require(known.isSuperset(of: user.values.keys), "\(user.values.keys)")
        for case .list(let elements) in user.values.values {
            let primary = elements.count { $0.object?["primary"] == .boolean(true) }
            require(primary <= 1 && elements.count <= 100, "\(primary) of \(elements.count) are primary")
        }
    }

    private static func page(_ query: UserQuery) {
        require((0...Discovery.pageLimit).contains(query.count) && query.start >= 0, "\(query.start), \(query.count)")
        for user in users {
            _ = query.filter?.matches(user.values)
            let shown = query.projection.applied(to: user.values)
            for (name, value) in shown {
                require(Self.isPart(value, of: user.values[name]), "\(name) is \(value)")
            }
        }
    }

    private static func isPart(_ value: AttributeValue, of whole: AttributeValue?) -> Bool {
        switch (value, whole) {
        case (.object(let members), .object(let all)?): members.allSatisfy { isPart($0.value, of: all[$0.key]) }
        case (.list(let elements), .list(let all)?):
            elements.count == all.count && zip(elements, all).allSatisfy { isPart($0, of: $1) }
        default: value == whole
        }
    }
}
