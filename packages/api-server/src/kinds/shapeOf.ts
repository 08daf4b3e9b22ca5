import { typeOf } from '../schema/builtIn/typeNode.js';
import { typeShape } from '../schema/builtIn/typeShape.js';
import { schemaShape } from '../schema/schemaShape.js';
import { object, type FieldShape } from './fieldShape.js';
import { metadataShape } from './metadataShape.js';
import type { ServedResource } from './servedResource.js';

const unknownKind: FieldShape = object({ metadata: metadataShape });

/** The merge shape of a resource's objects. */
export function shapeOf(resource: ServedResource): FieldShape {
  if (resource.custom !== undefined) return schemaShape(resource.custom);
  const type = typeOf(resource);
  return type === undefined ? unknownKind : typeShape(type);
}
