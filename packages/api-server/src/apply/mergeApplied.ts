import { fieldAt, type Json, type JsonObject } from '../json.js';
import { fieldOf, type FieldShape } from '../kinds/fieldShape.js';
import { elementOf, entriesOf, isMergedList, isMergedObject, itemsOf } from './fieldWalk.js';

function mergeObject(live: JsonObject, applied: JsonObject, shape: FieldShape): JsonObject {
  const changes = entriesOf(applied).map(([name, value]) => [name, mergeApplied(fieldAt(live, name), value, fieldOf(shape, name))]);
  return { ...live, ...(Object.fromEntries(changes) as JsonObject) };
}

/** Merges a list: applied items in their order; other items stay before the item that they preceded. */
function mergeList(live: readonly Json[], applied: readonly Json[], shape: FieldShape): readonly Json[] {
  const known = itemsOf(live, shape);
  const wanted = [...itemsOf(applied, shape)];
  const isWanted = new Set(wanted.map(([element]) => element));
  const result: Json[] = [];
  let next = 0;
  const takeUntil = (end: number): void => {
    for (const [element, [item = null]] of wanted.slice(next, end)) {
      const [old] = known.get(element) ?? [];
      result.push(mergeApplied(old, item, shape.items ?? {}));
    }
    next = Math.max(next, end);
  };
  // Shared items whose order differs between the live and the applied list do not delay the items before them.
  const shared = wanted.map(([element]) => element).filter((element) => known.has(element));
  for (const item of live) {
    const element = elementOf(item, shape);
    if (element === undefined || !isWanted.has(element)) {
      result.push(item);
      continue;
    }
    if (element !== shared[0]) continue;
    shared.shift();
    takeUntil(wanted.findIndex(([other]) => other === element) + 1);
  }
  takeUntil(wanted.length);
  return result;
}

/** Merges an applied value into a live one. */
export function mergeApplied(live: Json | undefined, applied: Json, shape: FieldShape): Json {
  if (isMergedObject(live, shape) && isMergedObject(applied, shape)) return mergeObject(live, applied, shape);
  if (isMergedList(live, shape) && isMergedList(applied, shape)) return mergeList(live, applied, shape);
  // A null says nothing of what is merged, unless that is empty.
  const merged = isMergedObject(live, shape) || isMergedList(live, shape);
  return applied === null && merged && Object.keys(live).length > 0 ? live : applied;
}
