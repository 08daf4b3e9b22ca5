import type { FieldShape } from '../../src/kinds/fieldShape.js';
import { KindRegistry } from '../../src/kinds/registry.js';
import { shapeOf } from '../../src/kinds/shapeOf.js';

/** How objects of a built-in kind are merged, by group and plural. */
export function builtInShape(group: string, plural: string): FieldShape {
  const resource = new KindRegistry().all().find((one) => one.group === group && one.plural === plural);
  if (resource === undefined) throw new Error(`Expected ${group}/${plural} to be a built-in kind`);
  return shapeOf(resource);
}
