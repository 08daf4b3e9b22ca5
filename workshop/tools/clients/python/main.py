"""What programs that use the Python client do with an API server: a line of JSON for every case."""

import json
import sys
import threading
import time

from kubernetes import client, config, dynamic, utils, watch
from kubernetes.client.exceptions import ApiException
from kubernetes.dynamic.exceptions import ConflictError, NotFoundError
from kubernetes.leaderelection import electionconfig, leaderelection
from kubernetes.leaderelection.resourcelock.leaselock import LeaseLock

config.load_kube_config(sys.argv[1])
core, apps = client.CoreV1Api(), client.AppsV1Api()


def equal(actual, expected):
    if actual != expected:
        raise AssertionError(f"Expected {expected!r}, got {actual!r}")


def refused(status, call, *arguments, **named):
    """Expects a call to be refused with a code, and returns what was said."""
    try:
        call(*arguments, **named)
    except ApiException as error:
        equal(error.status, status)
        return error
    raise AssertionError(f"Expected {status}, got an answer")


def eventually(what, holds):
    until = time.monotonic() + 30
    while not holds():
        if time.monotonic() > until:
            raise AssertionError(f"Expected {what} within half a minute")
        time.sleep(0.02)


def namespace():
    metadata = client.V1ObjectMeta(generate_name="case-")
    return core.create_namespace(client.V1Namespace(metadata=metadata)).metadata.name


def config_map(name, data=None):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name, labels={"app": name}), data=data)


def deployment(name, replicas):
    template = {"metadata": {"labels": {"app": name}}, "spec": {"containers": [{"name": "c", "image": "nginx:1"}]}}
    spec = {"replicas": replicas, "selector": {"matchLabels": {"app": name}}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": spec}


def reads_and_writes(ns):
    created = core.create_namespaced_config_map(ns, config_map("a", {"k": "1"}))
    equal(core.read_namespaced_config_map("a", ns), created)
    created.data["k"] = "2"
    core.replace_namespaced_config_map("a", ns, created)
    equal(json.loads(refused(409, core.replace_namespaced_config_map, "a", ns, created).body)["reason"], "Conflict")
    refused(409, core.create_namespaced_config_map, ns, config_map("a"))
    core.delete_namespaced_config_map("a", ns, body=client.V1DeleteOptions(grace_period_seconds=0))
    refused(404, core.read_namespaced_config_map, "a", ns)


def patches(ns):
    apps.create_namespaced_deployment(ns, deployment("web", 1))
    side = {"spec": {"template": {"spec": {"containers": [{"name": "side", "image": "b"}]}}}}
    equal(len(apps.patch_namespaced_deployment("web", ns, side).spec.template.spec.containers), 2)
    operations = [{"op": "replace", "path": "/spec/replicas", "value": 4}]
    equal(apps.patch_namespaced_deployment("web", ns, operations).spec.replicas, 4)
    status = {"status": {"replicas": 4, "readyReplicas": 4}}
    equal(apps.patch_namespaced_deployment_status("web", ns, status).status.ready_replicas, 4)
    equal(apps.patch_namespaced_deployment_scale("web", ns, {"spec": {"replicas": 7}}).spec.replicas, 7)
    equal(apps.read_namespaced_deployment_scale("web", ns).spec.replicas, 7)


def lists(ns):
    for number in range(25):
        core.create_namespaced_config_map(ns, config_map(f"m{number}"))
    pages, names, token = 0, 0, None
    while pages == 0 or token:
        page = core.list_namespaced_config_map(ns, limit=10, _continue=token)
        pages, names, token = pages + 1, names + len(page.items), page.metadata._continue
    equal((pages, names), (3, 25))
    equal(len(core.list_namespaced_config_map(ns, label_selector="app in (m1,m2)").items), 2)
    equal(len(core.list_namespaced_config_map(ns, field_selector="metadata.name=m3").items), 1)
    core.delete_collection_namespaced_config_map(ns, label_selector="app!=m1")
    equal(len(core.list_namespaced_config_map(ns).items), 1)


def watches(ns):
    version = core.list_namespaced_config_map(ns).metadata.resource_version
    core.create_namespaced_config_map(ns, config_map("a"))
    core.patch_namespaced_config_map("a", ns, {"data": {"k": "v"}})
    core.delete_namespaced_config_map("a", ns)
    seen = []
    stream = watch.Watch()
    for event in stream.stream(core.list_namespaced_config_map, ns, resource_version=version, timeout_seconds=20):
        seen.append(event["type"] + " " + event["object"].metadata.name)
        if len(seen) == 3:
            stream.stop()
    equal(seen, ["ADDED a", "MODIFIED a", "DELETED a"])


def watch_times_out(ns):
    began = time.monotonic()
    equal(list(watch.Watch().stream(core.list_namespaced_secret, ns, timeout_seconds=1)), [])
    equal(time.monotonic() - began < 20, True)


def watch_goes_on(ns):
    """After an answer that the version is too old, the client lists again by itself where it began without one."""
    core.create_namespaced_config_map(ns, config_map("a"))
    names = []
    stream = watch.Watch()
    for event in stream.stream(core.list_namespaced_config_map, ns, timeout_seconds=20):
        names.append(event["object"].metadata.name)
        if len(names) == 1:
            core.create_namespaced_config_map(ns, config_map("b"))
        else:
            stream.stop()
    equal(names, ["a", "b"])


def dynamic_resources(ns):
    resources = dynamic.DynamicClient(client.ApiClient())
    api = resources.resources.get(api_version="v1", kind="ConfigMap")
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "labels": {"app": "a"}}, "data": {"k": "1"}}
    created = api.create(body=body, namespace=ns)
    equal(api.get(name="a", namespace=ns).data.k, "1")
    equal(len(api.get(namespace=ns, label_selector="app=a").items), 1)
    body["metadata"]["resourceVersion"] = created.metadata.resourceVersion
    body["data"]["k"] = "2"
    equal(api.replace(body=body, namespace=ns).data.k, "2")
    try:
        api.replace(body=body, namespace=ns)
        raise AssertionError("Expected a conflict")
    except ConflictError:
        pass
    patch = {"data": {"k": "3"}}
    equal(api.patch(name="a", namespace=ns, body=patch, content_type="application/merge-patch+json").data.k, "3")
    applied = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "4"}}
    equal(api.server_side_apply(namespace=ns, body=applied, field_manager="me", force_conflicts=True).data.k, "4")
    api.delete(name="a", namespace=ns)
    try:
        api.get(name="a", namespace=ns)
        raise AssertionError("Expected it to be gone")
    except NotFoundError:
        pass


def custom_resources(ns):
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}}}
    versions = [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}]
    names = {"plural": "shelves", "singular": "shelf", "kind": "Shelf"}
    spec = {"group": "python.example.com", "scope": "Namespaced", "names": names, "versions": versions}
    definition = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "shelves.python.example.com"}, "spec": spec}
    definitions = client.ApiextensionsV1Api()
    definitions.create_custom_resource_definition(definition)

    def established():
        conditions = definitions.read_custom_resource_definition("shelves.python.example.com").status.conditions or []
        return any(one.type == "Established" and one.status == "True" for one in conditions)

    eventually("the definition to be established", established)
    custom = client.CustomObjectsApi()
    place = ("python.example.com", "v1", ns, "shelves")
    shelf = {"apiVersion": "python.example.com/v1", "kind": "Shelf", "metadata": {"name": "a"}, "spec": {"size": 3}}
    custom.create_namespaced_custom_object(*place, shelf)
    equal(custom.patch_namespaced_custom_object(*place, "a", {"spec": {"size": 4}})["spec"]["size"], 4)
    refused(422, custom.patch_namespaced_custom_object, *place, "a", {"spec": {"size": "x"}})
    equal(len(custom.list_namespaced_custom_object(*place)["items"]), 1)
    resources = dynamic.DynamicClient(client.ApiClient())
    api = resources.resources.get(api_version="python.example.com/v1", kind="Shelf")
    events = []
    for event in api.watch(namespace=ns, timeout=20):
        events.append(event["type"] + " " + event["object"].metadata.name)
        if len(events) == 1:
            api.delete(name="a", namespace=ns)
        else:
            break
    equal(events, ["ADDED a", "DELETED a"])
    definitions.delete_custom_resource_definition("shelves.python.example.com")


def from_yaml(ns):
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": {"selector": {"app": "web"}, "ports": [{"port": 80}]}}
    both = {"apiVersion": "v1", "kind": "List", "items": [deployment("web", 2), service]}
    utils.create_from_dict(client.ApiClient(), both, namespace=ns)
    equal(core.read_namespaced_service("web", ns).spec.ports[0].target_port, 80)
    utils.create_from_dict(client.ApiClient(), deployment("other", 1), namespace=ns)
    equal(len(apps.list_namespaced_deployment(ns).items), 2)


def elects(ns):
    led, ended = [], threading.Event()

    def lead():
        led.append("me")
        ended.set()

    lock = LeaseLock("lease", ns, "me")
    election = electionconfig.Config(lock, lease_duration=5, renew_deadline=3, retry_period=1, onstarted_leading=lead, onstopped_leading=None)
    threading.Thread(target=leaderelection.LeaderElection(election).run, daemon=True).start()
    equal(ended.wait(30), True)
    equal(client.CoordinationV1Api().read_namespaced_lease("lease", ns).spec.holder_identity, "me")


def discovers(_):
    equal(client.VersionApi().get_code().major, "1")
    groups = client.ApisApi().get_api_versions().groups
    equal("apps" in [group.name for group in groups], True)
    names = [resource.name for resource in client.AppsV1Api().get_api_resources().resources]
    equal("deployments/scale" in names, True)
    review = {"spec": {"resourceAttributes": {"verb": "get", "resource": "pods"}}}
    equal(client.AuthorizationV1Api().create_self_subject_access_review(review).status.allowed, True)


def drains(ns):
    core.create_namespaced_config_map(ns, config_map("a"))
    core.delete_namespace(ns)

    def gone():
        try:
            core.read_namespace(ns)
            return False
        except ApiException as error:
            return error.status == 404

    eventually("the namespace to go", gone)


CASES = {
    "typed: reads, writes, is refused stale writes, deletes": reads_and_writes,
    "typed: patches objects, statuses and scales": patches,
    "typed: lists in pages, by labels and fields, deletes a collection": lists,
    "typed: drains a namespace": drains,
    "watch: brings every change from the version of a list": watches,
    "watch: ends on time": watch_times_out,
    "watch: begins with what there is": watch_goes_on,
    "dynamic: reads, writes, patches and applies": dynamic_resources,
    "custom resources: defines, writes, is refused, watches": custom_resources,
    "utils: creates what a manifest says": from_yaml,
    "leader election: leads by a lease": elects,
    "discovery: groups, resources, version, access": discovers,
}

for name, case in CASES.items():
    try:
        case(namespace())
        print(json.dumps({"case": name, "passed": True}), flush=True)
    except Exception as error:  # whatever comes is what is to be told
        print(json.dumps({"case": name, "passed": False, "why": f"{type(error).__name__}: {error}"}), flush=True)
sys.stdout.flush()
