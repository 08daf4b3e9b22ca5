"""The Python client's own tests that talk to a server, as its package has them: a line of JSON for every case."""

import asyncio
import json
import sys
import types
import unittest

from kubernetes import aio, client, config

kubeconfig = sys.argv[1]
modules = [
    "kubernetes.dynamic.test_client",
    "kubernetes.dynamic.test_discovery",
    "kubernetes.aio.dynamic.client_test",
    "kubernetes.aio.dynamic.discovery_test",
]


def configuration():
    one = client.Configuration()
    config.load_kube_config(kubeconfig, client_configuration=one)
    return one


def aio_configuration():
    one = aio.client.Configuration()
    asyncio.run(aio.config.load_kube_config(kubeconfig, client_configuration=one))
    return one


def provide(package, make):
    """The tests ask this module for a configuration; the package has been published without it."""
    parent, base = types.ModuleType(package), types.ModuleType(f"{package}.base")
    base.get_e2e_configuration = make
    parent.base = base
    sys.modules[package], sys.modules[base.__name__] = parent, base


def reason(error):
    """What the server said, else what the client did."""
    try:
        return json.loads(error.body)["message"]
    except (AttributeError, TypeError, ValueError, KeyError):
        # An error of the dynamic client carries the lines of its traceback along.
        return f"{type(error).__name__}: {error.status} {error.reason}" if hasattr(error, "status") else repr(error)


class Lines(unittest.TestResult):
    """Prints what comes of each test."""

    def line(self, test, **result):
        print(json.dumps({"case": test.id().removeprefix("kubernetes."), **result}), flush=True)

    def addSuccess(self, test):
        self.line(test, passed=True)

    def addSkip(self, test, reason):
        self.line(test, passed=True, skipped=True)

    def addFailure(self, test, err):
        self.line(test, passed=False, why=reason(err[1]))

    addError = addFailure


provide("kubernetes.e2e_test", configuration)
provide("kubernetes.aio.e2e_test", aio_configuration)
unittest.defaultTestLoader.loadTestsFromNames(modules).run(Lines())
