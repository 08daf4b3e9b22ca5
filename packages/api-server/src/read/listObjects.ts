import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import type { ResourceTarget } from '../http/routePath.js';
import { rankOf, sizeOf, valuesBetween } from '../store/orderedMap.js';
import type { StoredObject } from '../store/storedObject.js';
import { tokenAfter } from './continueToken.js';
import { checkListOptions, planList, type ListPlan } from './listOptions.js';
import type { Representation } from './representation.js';
import { offersForm, representationOf } from './representations.js';
import { selectionOf, type ListSelection } from './selection.js';
import { shardOf } from './shardSelection.js';
import { sliceMs, yieldNow } from './yieldNow.js';

/** Collects the objects of a page, yielding to the event loop. */
export async function gather({ root, start, limit = Infinity }: ListPlan, selection: ListSelection): Promise<StoredObject[]> {
  const from = start === '' ? selection.from : maximum(selection.from, selection.prefix + start);
  const page: StoredObject[] = [];
  let sliceEnd = performance.now() + sliceMs;
  let seen = 0;
  for (const object of valuesBetween(root, from, selection.to)) {
    if (selection.matches(object)) page.push(object);
    if (page.length >= limit) break;
    seen += 1;
    if (seen % 16 === 0 && performance.now() > sliceEnd) {
      await yieldNow();
      sliceEnd = performance.now() + sliceMs;
    }
  }
  return page;
}

function maximum(a: string, b: string): string {
  return a > b ? a : b;
}

/** The number of objects of the selected range after a key. */
function remainingAfter({ root }: ListPlan, { to }: ListSelection, key: string): number {
  const end = to === undefined ? sizeOf(root) : rankOf(root, to);
  return end - rankOf(root, `${key}\0`);
}

function* itemsOf(representation: Representation, page: readonly StoredObject[]): Generator<readonly Buffer[], void, undefined> {
  for (const object of page) yield representation.item(object);
}

/** Answers with objects of a resource as a list. */
export async function sendList(
  exchange: Exchange,
  representation: Representation,
  page: readonly StoredObject[],
  plan: ListPlan,
  selection: ListSelection,
): Promise<void> {
  const last = page.at(-1);
  const remaining =
    last === undefined || plan.limit === undefined || page.length < plan.limit ? 0 : remainingAfter(plan, selection, last.key);
  const head = representation.listHead({
    resourceVersion: String(plan.resourceVersion),
    ...(remaining > 0 && last !== undefined && { continue: tokenAfter(plan.resourceVersion, last.key.slice(selection.prefix.length)) }),
    ...(remaining > 0 && !selection.filtered && { remainingItemCount: remaining }),
    ...(selection.shardSelector !== undefined && { shardInfo: { selector: selection.shardSelector } }),
  });
  await exchange.sendList({ head, items: itemsOf(representation, page), tail: representation.listTail });
}

/** Handles a LIST. */
export async function listObjects(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const { resource } = target;
  exchange.negotiate({ yaml: true, streams: true, custom: resource.custom !== undefined, converts: offersForm });
  const selection = shardOf(
    selectionOf(target, exchange.parameters, () => checkListOptions(cluster, exchange.parameters)),
    exchange.parameters,
    cluster.shardedListAndWatch,
  );
  const plan = await planList(cluster, () => cluster.store.bucket(resource.bucketId), exchange.parameters, {
    stale: () => cluster.hooks.staleState?.(exchange),
  });
  const representation = representationOf(resource, exchange, 'list');
  await sendList(exchange, representation, await gather(plan, selection), plan, selection);
}
