import { schemaShape } from '../schema/schemaShape.js';
import { builtInShape } from './builtInShapes.js';
import type { FieldShape } from './fieldShape.js';
import type { ServedResource } from './servedResource.js';

/** How objects of a resource are merged. */
export function shapeOf({ group, plural, custom }: ServedResource): FieldShape {
  return custom === undefined ? builtInShape(group, plural) : schemaShape(custom);
}
