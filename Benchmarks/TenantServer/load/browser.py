"""A headless Chromium, by the WebDriver protocol (W3C), without further packages."""

import base64
import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request

from servers import Problem, free_port

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the protocol's key of a reference to an element


class Browser:
    def __init__(self):
        if not shutil.which("chromedriver"):
            raise Problem("chromedriver is missing: apt-get install chromium chromium-driver")
        self.port = free_port()
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.session = None

    def __enter__(self):
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900"]
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}
        end = time.monotonic() + 30
        while self.session is None:
            try:
                answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
                self.session = answer["sessionId"]
            except urllib.error.HTTPError as error:
                raise Problem(f"Chromium does not start: {error.read().decode()[:500]}") from None
            except OSError:
                if time.monotonic() > end:
                    raise Problem("chromedriver does not answer") from None
                time.sleep(0.1)
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self.call("DELETE", f"/session/{self.session}")
        except OSError:
            pass
        self.driver.terminate()
        self.driver.wait()

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def open(self, address):
        self.call("POST", f"/session/{self.session}/url", {"url": address})

    def run(self, script, *arguments):
        return self.call("POST", f"/session/{self.session}/execute/sync", {"script": script, "args": list(arguments)})

    def element(self, selector):
        found = self.call("POST", f"/session/{self.session}/element", {"using": "css selector", "value": selector})
        return found[ELEMENT]

    def type(self, selector, text):
        self.call("POST", f"/session/{self.session}/element/{self.element(selector)}/value", {"text": text})

    def click(self, selector):
        self.call("POST", f"/session/{self.session}/element/{self.element(selector)}/click", {})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", f"/session/{self.session}/screenshot")))

    def complaints(self):
        """What the browser wrote into its console as errors: a script that failed, a policy that was broken."""
        entries = self.call("POST", f"/session/{self.session}/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]
