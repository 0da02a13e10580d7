"""The process of the simulators, and the upstreams of one test."""

import base64
import json
import os
import shlex
import subprocess
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

Reply = Union[str, int, Mapping[str, Any]]

#: What starts the simulators where the environment names none: needs Node.js 22.19 or later.
DEFAULT_COMMAND = "npx --no -- gatecheck-simulators"


class ControlError(Exception):
    """A call that the simulators refused; ``path`` names the bad member."""

    def __init__(self, status: int, message: str, path: Optional[str]) -> None:
        super().__init__(message)
        self.status = status
        self.path = path


class UnmetScripts(AssertionError):
    """A script or fault that was not used, or a request that nothing was scripted for."""

    def __init__(self, tenant: str, check: Mapping[str, Any]) -> None:
        unused = [
            f"  not used: {one['name'] or one['id']}, {one['used']} of {one['replies']} replies taken; "
            f"it matches {json.dumps(one['match'])}"
            for one in check["unused"]
        ]
        unmet = [f"  not met: {one['id']}, {one['set']}; it matches {json.dumps(one['when'])}" for one in check["unmet"]]
        unexpected = [f"  not expected: {one['method']} {one['path']}; {one['why']}" for one in check["unexpected"]]
        head = f"unused scripts or faults, or unexpected requests, at the upstreams of {tenant}"
        super().__init__("\n".join([head, *unused, *unmet, *unexpected]))
        self.check = check


class Simulators:
    """Simulated providers in a process of their own, or ones that run elsewhere."""

    def __init__(
        self,
        control_url: Optional[str] = None,
        url: Optional[str] = None,
        command: Optional[Union[str, Sequence[str]]] = None,
        token: Optional[str] = None,
    ) -> None:
        self._process: Optional["subprocess.Popen[str]"] = None
        control_url = control_url or os.environ.get("GATECHECK_SIMULATORS_CONTROL_URL")
        url = url or os.environ.get("GATECHECK_SIMULATORS_URL")
        if control_url is None or url is None:
            ready = self._start(command or os.environ.get("GATECHECK_SIMULATORS_COMMAND") or DEFAULT_COMMAND)
            url, control_url = ready["provider_url"], ready["control_url"]
        self.url: str = url
        self.control_url: str = control_url
        self._token = token or os.environ.get("GATECHECK_CONTROL_TOKEN")

    def tenant(self, name: Optional[str] = None) -> "Upstream":
        """Upstreams that nobody else sees; without a name, of a name that nobody else has."""
        return Upstream(self, name or f"py-{uuid.uuid4().hex[:16]}")

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """One call of the control API (its document: ``GET /openapi.json``)."""
        headers = {"content-type": "application/json"}
        if self._token:
            headers["authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.control_url + path, data=data, headers=headers, method=method)
        try:
            with _direct.open(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                refusal = json.loads(error.read() or b"{}").get("error", {})
            message = refusal.get("message", f"{method} {path} was answered with {error.code}")
            raise ControlError(error.code, message, refusal.get("path")) from None

    def close(self) -> None:
        """Ends the process, where it was started here."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        process.wait(timeout=30)
        if process.stdout is not None:
            process.stdout.close()

    def __enter__(self) -> "Simulators":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self, command: Union[str, Sequence[str]]) -> Dict[str, Any]:
        words = shlex.split(command) if isinstance(command, str) else list(command)
        # The process ends with its standard input, also when Python is killed.
        process = subprocess.Popen(
            [*words, "--exit-with-stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._process = process
        line = process.stdout.readline() if process.stdout is not None else ""
        if line == "":
            hint = "; is the npm package gatecheck-simulators installed here?" if words[:1] == ["npx"] else ""
            raise RuntimeError(f"{shlex.join(words)} ended with {process.wait()} before it was ready{hint}")
        return json.loads(line)


#: Loopback is reached directly, whatever proxy the environment names.
_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Upstream:
    """The upstreams of one tenant, as a test scripts and reads them."""

    def __init__(self, simulators: Simulators, name: str) -> None:
        self.name = name
        #: For clients whose base URL ends before the version: anthropic, google-genai, Azure.
        self.url = f"{simulators.url}/{name}/default"
        #: For clients whose base URL ends with the version: openai.
        self.v1 = f"{self.url}/v1"
        self._simulators = simulators
        self._path = f"/tenants/{urllib.parse.quote(name)}"

    def on(self, match: Optional[Mapping[str, Any]], *replies: Reply, **script: Any) -> str:
        """Scripts the replies of matching requests, one after another; the last one repeats. Returns the id.

        The newest script that matches answers.
        """
        if not isinstance(match, (Mapping, type(None))):
            raise TypeError('match: a mapping such as {"text": "hello"}, or {} for every call')
        body = {"match": dict(match or {}), "replies": list(replies), **script}
        return self.call("POST", "/scripts", body)["id"]

    def fault(self, fault: Union[str, Mapping[str, Any]], **rule: Any) -> str:
        """Sets a fault by id or name, which wins over scripts. Returns the id."""
        named = {"id": fault} if isinstance(fault, str) else dict(fault)
        return self.call("POST", "/faults", {"fault": named, **rule})["id"]

    def settings(self, **settings: Union[bool, List[str]]) -> None:
        """``strict``: refuse calls that nothing is scripted for. ``strict_models``: refuse other models.

        ``variants``: names of variants of the dialects to play.
        """
        self.call("PUT", "/settings", settings)

    def requests(self) -> List[Dict[str, Any]]:
        """What arrived so far: the journal's entries, each with its ``body`` and ``json``."""
        entries = self.call("GET", "/journal")["entries"]
        for entry in entries:
            entry["body"] = base64.b64decode(entry["request"]["body_base64"])
            try:
                entry["json"] = json.loads(entry["body"])
            except ValueError:
                entry["json"] = None
        return entries

    def verify(self) -> None:
        """:raises UnmetScripts: when a script or fault was not used, or a request was not expected."""
        check = self.call("GET", "/check")
        if any(check.values()):
            raise UnmetScripts(self.name, check)

    def reset(self) -> None:
        """Removes everything that was set or happened, and aborts every request in flight."""
        self.call("POST", "/reset")

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """One call of the control API for this tenant."""
        return self._simulators.call(method, self._path + path, body)
