"""Drives headless Chromium over its debugging pipe, with the standard library only."""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time
import zlib

import numpy as np

FLAGS = ["--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-dev-shm-usage", "--mute-audio",
         "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
         "--hide-scrollbars", "--force-device-scale-factor=1", "--remote-debugging-pipe"]


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if shutil.which(name):
            return shutil.which(name)
    raise SystemExit("no Chromium: install the package `chromium` (tools/packages.txt)")


class Browser:
    """One page in one browser. `problems`: console errors, uncaught exceptions, requests that left the machine."""

    def __init__(self, width=1280, height=900, timeout=300, flags=()):
        self.timeout, self.count, self.buffer, self.problems, self.requests = timeout, 0, b"", [], []
        self.profile = tempfile.mkdtemp(prefix="scree-chromium-")
        to_read, self.to = os.pipe()
        self.out, to_write = os.pipe()

        def move_pipes():  # Chromium reads commands from 3 and writes answers to 4
            spare = os.dup(to_read), os.dup(to_write)
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        command = [find_chromium(), *FLAGS, *flags, f"--user-data-dir={self.profile}", f"--window-size={width},{height}", "about:blank"]
        self.process = subprocess.Popen(command, preexec_fn=move_pipes, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.session = None
        page = next(target for target in self.call("Target.getTargets")["targetInfos"] if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.out)
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        end = time.monotonic() + self.timeout
        while True:
            answer = self.receive(end, method)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def receive(self, end, method):
        while b"\0" not in self.buffer:
            if not select.select([self.out], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError(f"no answer to {method} within {self.timeout} s")
            data = os.read(self.out, 1 << 20)
            if not data:
                raise RuntimeError(f"Chromium ended (exit code {self.process.poll()}) during {method}")
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(line)

    def note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.problems.append(" ".join(str(part.get("value", part.get("description"))) for part in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.problems.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"][:80])

    def open(self, path):
        """Opens a file and waits until its script says that it is ready."""
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        self.wait_for("document.readyState === 'complete' && (window.scree?.ready || document.querySelector('.notice.warning') !== null)")
        self.settle()

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return result["result"].get("value")

    def wait_for(self, expression):
        end = time.monotonic() + self.timeout
        while not self.evaluate(f"Boolean({expression})"):
            if time.monotonic() > end:
                raise TimeoutError(f"not within {self.timeout} s: {expression}")
            time.sleep(0.05)

    def settle(self):
        """Waits until what was asked for is drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)
        self.settle()

    def png(self, full=False, clip=None):
        parameters = {"format": "png", "captureBeyondViewport": full, "optimizeForSpeed": True}
        if clip:
            parameters["clip"] = {"x": clip[0], "y": clip[1], "width": clip[2], "height": clip[3], "scale": 1}
        return base64.b64decode(self.call("Page.captureScreenshot", **parameters)["data"])

    def pixels(self, clip=None):
        return decode_png(self.png(clip=clip))


def decode_png(data):
    """The pixels [height, width, 3 or 4] of an 8-bit PNG without interlacing."""
    at, packed = 8, b""
    while at < len(data):
        size, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        body = data[at + 8:at + 8 + size]
        at += 12 + size
        if kind == b"IHDR":
            width, height = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
            channels = {2: 3, 6: 4}[body[9]]
            assert body[8] == 8 and body[12] == 0, "8 bits, not interlaced"
        elif kind == b"IDAT":
            packed += body
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * channels)
    out = np.zeros((height + 1, width + 1, channels), np.uint8)   # a border of zeros above and to the left
    for y in range(height):
        unfilter(rows[y, 0], rows[y, 1:].reshape(width, channels), out[y], out[y + 1])
    return out[1:, 1:]


def unfilter(kind, row, above, out):
    if kind == 0:
        out[1:] = row
    elif kind == 1:
        out[1:] = np.cumsum(row, axis=0, dtype=np.uint8)
    elif kind == 2:
        out[1:] = row + above[1:]
    else:
        wide_above = above.astype(int)
        for x in range(len(row)):
            left, up, corner = out[x].astype(int), wide_above[x + 1], wide_above[x]
            if kind == 3:
                guess = (left + up) // 2
            else:
                a, b, c = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
                guess = np.where((a <= b) & (a <= c), left, np.where(b <= c, up, corner))
            out[x + 1] = (row[x] + guess) & 255
