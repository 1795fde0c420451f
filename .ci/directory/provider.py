"""A provider of OpenID Connect that nobody here wrote, Canaille, and a user's browser that logs in there.

Usage: provider.py     prints the issuer and the address of the browser, and serves until it is stopped

The browser: GET /?url=URL follows a log-in from its beginning, fills in the forms that it meets, and answers with the URL that
the user comes back to.
"""

import html
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx2
from canaille import create_app
from canaille.app import models
from canaille.backends import Backend
from werkzeug.serving import WSGIRequestHandler, make_server

BACK = "http://127.0.0.1:1/back"
FIELDS = {"login": "ada", "password": "a password of hers", "answer": "accept"}


class Quiet(WSGIRequestHandler):
    def log_request(self, *arguments):
        pass


def provider():
    app = create_app(
        {
            "SECRET_KEY": "a secret of a test",
            "PREFERRED_URL_SCHEME": "http",
            "CANAILLE": {"DATABASE": "memory", "FORCE_HTTPS": False, "LOGGING": {"version": 1}},
            "CANAILLE_OIDC": {"TRUSTED_DOMAINS": []},
        }
    )
    with app.app_context():
        backend = Backend.instance
        backend.save(
            models.User(
                user_name="ada",
                formatted_name="Ada Lovelace",
                family_name="Lovelace",
                emails=["ada@contoso.example"],
                password=FIELDS["password"],
            )
        )
        client = models.Client(
            client_id="tenants",
            client_secret="a secret of the client",
            client_name="Tenants",
            client_uri="https://tenants.example",
            redirect_uris=[BACK],
            grant_types=["authorization_code", "refresh_token"],
            response_types=["code"],
            scope=["openid", "email", "profile"],
            token_endpoint_auth_method="client_secret_basic",
            # What its pages fill in for a client that is registered there.
            id_token_signed_response_alg="RS256",
        )
        backend.save(client)
        client.audience = [client]
        backend.save(client)
    return make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)


def log_in(url):
    """Follows a log-in to its end, as a person would who sees nothing but pages and forms."""
    with httpx2.Client(follow_redirects=False, timeout=20) as browser:
        answer = browser.get(url)
        for _ in range(20):
            if answer.is_redirect:
                target = urljoin(str(answer.url), answer.headers["location"])
                if target.startswith(BACK):
                    return target
                answer = browser.get(target)
                continue
            forms = [form for form in re.findall(r"<form.*?</form>", answer.text, re.S) if any(f'name="{name}"' in form for name in FIELDS)]
            if not forms:
                raise ValueError(f"A page without a form: {answer.status_code} {answer.url} {answer.text[:2000]}")
            form = forms[0]
            data = {}
            for tag in re.findall(r"<(?:input|button)[^>]*>", form, re.S):
                values = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
                if values.get("type") == "hidden":
                    data[values["name"]] = html.unescape(values.get("value", ""))
            data.update({name: value for name, value in FIELDS.items() if f'name="{name}"' in form})
            action = re.search(r'<form[^>]*action="([^"]*)"', form, re.S)
            target = urljoin(str(answer.url), html.unescape(action.group(1)) if action and action.group(1) else str(answer.url))
            answer = browser.post(target, data=data, headers={"Referer": str(answer.url)})
    raise ValueError("A log-in without an end")


class Browser(BaseHTTPRequestHandler):
    def do_GET(self):
        try:
            status, text = 200, log_in(parse_qs(urlsplit(self.path).query)["url"][0])
        except Exception as error:
            status, text = 500, str(error)
            print(text, file=sys.stderr)
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    servers = [provider(), ThreadingHTTPServer(("127.0.0.1", 0), Browser)]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print(*(f"http://127.0.0.1:{server.server_port}/" for server in servers), flush=True)
    threading.Event().wait()
