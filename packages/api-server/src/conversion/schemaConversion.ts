import { asJsonObject, without, type JsonObject } from '../json.js';
import type { Translation } from '../kinds/servedResource.js';
import { defaultObject } from '../schema/defaultObject.js';
import { pruneObject } from '../schema/pruneObject.js';
import type { StoredContent } from '../store/storedObject.js';

/**
 * The conversion of a definition whose versions differ only in their schemas: drops fields that the target version's schema does not declare,
 * and adds the defaults of the storage version. `schemas` has each version, named with its group.
 */
export function schemaConversion(stored: string, schemas: ReadonlyMap<string, JsonObject | undefined>): Translation {
  const pruned = (version: string, fields: JsonObject): JsonObject => {
    const schema = schemas.get(version);
    return schema === undefined ? fields : pruneObject(fields, schema).object;
  };
  // Defaults come from the storage version.
  const fitted = (version: string, fields: JsonObject): JsonObject => {
    const schema = schemas.get(stored);
    return pruned(version, schema === undefined ? fields : defaultObject(pruned(stored, fields), schema));
  };
  return {
    stored,
    wanted: [],
    prepare: () => Promise.resolve(),
    show: (version, { metadata, ...fields }): StoredContent => ({ ...fitted(version, fields), metadata }),
    convert: (version, objects) =>
      Promise.resolve(
        objects.map((object) => ({
          ...object,
          ...fitted(version, without(object, 'metadata')),
          apiVersion: version,
          metadata: asJsonObject(object['metadata']),
        })),
      ),
  };
}
