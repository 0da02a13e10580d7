import urllib.error
import urllib.request
import json

import pytest

from gatecheck_simulators import ControlError

pytest_plugins = ["pytester"]


def ask(v1, text="hello"):
    """The text of a completion, or the status when it is none."""
    body = {"model": "any-model", "messages": [{"role": "user", "content": text}]}
    headers = {"authorization": "Bearer any-key", "content-type": "application/json"}
    request = urllib.request.Request(v1 + "/chat/completions", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["choices"][0]["message"]["content"]
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_answers_429_once_and_then_succeeds(upstream):
    upstream.on({}, 429, "Hello")
    assert [ask(upstream.v1), ask(upstream.v1)] == [429, "Hello"]
    assert [one["json"]["model"] for one in upstream.requests()] == ["any-model", "any-model"]


def test_answers_by_what_is_asked(upstream):
    upstream.on({"text": {"pattern": r"in (\w+)"}}, "It rains in {{match.1}}.")
    assert ask(upstream.v1, "weather in Oslo") == "It rains in Oslo."


def test_sets_a_fault_by_its_name(upstream):
    upstream.on({}, "Hello")
    upstream.fault("server_error 500", times=1)
    assert [ask(upstream.v1), ask(upstream.v1)] == [500, "Hello"]


def test_names_the_bad_member_of_a_script(upstream):
    with pytest.raises(ControlError, match=r"replies\[0\].txt: unknown member"):
        upstream.on({}, {"txt": "a"})


def test_fails_tests_whose_scripts_were_not_used_or_whose_requests_were_not_expected(pytester, simulators, monkeypatch):
    monkeypatch.setenv("GATECHECK_SIMULATORS_URL", simulators.url)
    monkeypatch.setenv("GATECHECK_SIMULATORS_CONTROL_URL", simulators.control_url)
    pytester.makepyfile(
        """
        import urllib.request, urllib.error

        def test_unused(upstream):
            upstream.on({"text": "rain"}, "wet")

        def test_unexpected(upstream):
            try:
                urllib.request.urlopen(urllib.request.Request(upstream.v1 + "/chat/completions", b"{}", {"authorization": "Bearer k"}))
            except urllib.error.HTTPError as error:
                assert error.code == 501

        def test_used(upstream):
            pass
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*not used: script-1, 0 of 1 replies taken*", "*not expected: POST *chat/completions*"])
