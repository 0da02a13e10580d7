"""The fixtures ``simulators`` and ``upstream``."""

from typing import Iterator

import pytest

from .client import Simulators, Upstream


@pytest.fixture(scope="session")
def simulators() -> Iterator[Simulators]:
    """Simulated providers for all tests of the session."""
    with Simulators() as started:
        yield started


@pytest.fixture
def upstream(simulators: Simulators) -> Iterator[Upstream]:
    """Upstreams of the test's own. Calls that nothing is scripted for are answered with 501."""
    own = simulators.tenant()
    own.settings(strict=True)
    yield own
    own.reset()


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Fails a test that passed although a script was not used or a request was not expected."""
    outcome = yield
    own = getattr(pyfuncitem, "funcargs", {}).get("upstream")
    if isinstance(own, Upstream) and outcome.excinfo is None:
        try:
            own.verify()
        except AssertionError as error:
            outcome.force_exception(error)

