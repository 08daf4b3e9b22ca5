import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServerProcess, type ServerProcess } from './serverProcess.js';

const python = '/usr/bin/python3';

/** The version of the Python client that is installed, undefined when there is none. */
function pythonClientVersion(): string | undefined {
  try {
    const program = 'import kubernetes; print(kubernetes.__version__)';
    return execFileSync(python, ['-c', program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

const preamble = `
import sys
from kubernetes import client, config, watch
config.load_kube_config(sys.argv[1])
api = client.CoreV1Api()
def body(name):
    return {"metadata": {"name": name, "labels": {"app": name}}, "data": {"a": "1"}}
`;

const lists = `
for name in ["one", "two", "three"]:
    api.create_namespaced_config_map("default", body(name))
print(*[item.metadata.name for item in api.list_namespaced_config_map("default").items])
print(*[item.data["a"] for item in api.list_namespaced_config_map("default", label_selector="app in (one,two)").items])
first = api.list_namespaced_config_map("default", limit=2)
rest = api.list_namespaced_config_map("default", limit=2, _continue=first.metadata._continue)
print(len(first.items), first.metadata.remaining_item_count, *[item.metadata.name for item in rest.items])
try:
    api.read_namespaced_config_map("other", "default")
except client.ApiException as error:
    print(error.status, error.reason)
`;

const watches = `
version = api.list_namespaced_config_map("default").metadata.resource_version
api.create_namespaced_config_map("default", body("watched"))
api.patch_namespaced_config_map("watched", "default", {"data": {"a": "2"}})
stream = watch.Watch()
for event in stream.stream(api.list_namespaced_config_map, "default", resource_version=version, timeout_seconds=30):
    print(event["type"], event["object"].metadata.name, event["object"].data["a"], flush=True)
    if event["type"] == "MODIFIED":
        api.delete_namespaced_config_map("watched", "default")
    if event["type"] == "DELETED":
        stream.stop()
`;

const version = pythonClientVersion();
if (version === undefined) {
  console.warn('The Python client is not installed: its specs are skipped. Debian has it in the package python3-kubernetes.');
}

(version === undefined ? describe.skip : describe)(`The Python client ${version ?? ''}`, () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startServerProcess();
  });

  afterAll(() => server.end());

  async function run(program: string): Promise<readonly string[]> {
    const { stdout } = await promisify(execFile)(python, ['-c', preamble + program, server.kubeconfigPath], { timeout: 45_000 });
    return stdout.trim().split('\n');
  }

  it('lists, selects, pages and hears of what is missing (rows 62, 33, 69)', async () => {
    expect(await run(lists)).toEqual(['one three two', '1 1', '2 1 two', '404 Not Found']);
  });

  it('watches a create, a change and a delete from the version of a list (rows 2, 4)', async () => {
    expect(await run(watches)).toEqual(['ADDED watched 1', 'MODIFIED watched 2', 'DELETED watched 2']);
  });
});
