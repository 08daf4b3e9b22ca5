# pip install kubernetes; the server is that of KUBECONFIG.
from kubernetes import client, config, watch

config.load_kube_config()
core = client.CoreV1Api()
core.create_namespaced_config_map("default", {"metadata": {"name": "settings-python"}, "data": {"colour": "blue"}})
core.patch_namespaced_config_map("settings-python", "default", {"data": {"colour": "green"}})
for event in watch.Watch().stream(core.list_namespaced_config_map, "default", field_selector="metadata.name=settings-python", timeout_seconds=10):
    print(event["type"], event["object"].data["colour"])
    break
