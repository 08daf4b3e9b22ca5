import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import type { ResourceTarget } from '../http/routePath.js';
import { negotiateObject, sendStored } from '../read/getObject.js';
import { checkListOptions } from '../read/listOptions.js';
import { offersForm, representationOf } from '../read/representations.js';
import { selectionOf } from '../read/selection.js';
import { notFound } from '../status/statusErrors.js';
import { shownObjectOf, type StoredContent, type StoredObject } from '../store/storedObject.js';

function componentOf(name: string, status: string, message: string): StoredObject {
  const metadata = { name, resourceVersion: '' };
  return shownObjectOf({ metadata, conditions: [{ type: 'Healthy', status, message }] } as unknown as StoredContent);
}

function refusedAt(port: number): string {
  return `Get "https://127.0.0.1:${String(port)}/healthz": dial tcp 127.0.0.1:${String(port)}: connect: connection refused`;
}

/** As a server shows them that has its storage, and no controllers on its own machine. They are not stored. */
const components = [
  componentOf('scheduler', 'False', refusedAt(10_259)),
  componentOf('controller-manager', 'False', refusedAt(10_257)),
  componentOf('etcd-0', 'True', 'ok'),
];

/** Handles a LIST of componentstatuses. */
export async function listComponents(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  exchange.negotiate({ yaml: true, converts: offersForm });
  const representation = representationOf(target.resource, exchange, 'list');
  const selection = selectionOf(target, exchange.parameters, () => checkListOptions(cluster, exchange.parameters));
  const items = components.filter((component) => selection.matches(component)).map((component) => representation.item(component));
  await exchange.sendList({ head: representation.listHead({}), items: items.values(), tail: representation.listTail });
}

/** Handles a GET of a componentstatus. */
export async function getComponent(_cluster: Cluster, exchange: Exchange, { resource, name }: ResourceTarget): Promise<void> {
  negotiateObject(exchange, resource);
  const found = components.find((component) => component.name === name);
  if (found === undefined) throw notFound(resource, name);
  await sendStored(exchange, resource, 200, found);
}
