import type { JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { defaultTyped } from '../schema/builtIn/defaultTyped.js';
import { typeOf } from '../schema/builtIn/typeNode.js';
import type { StoredContent, StoredMeta } from '../store/storedObject.js';
import type { WriteOptions } from './writeOptions.js';

/** An object with the defaults of the server, in the stored version. What is applied keeps its nulls. */
export function completeContent(resource: ServedResource, metadata: StoredMeta, fields: JsonObject, options: WriteOptions): StoredContent {
  const type = options.untyped === true ? undefined : typeOf(resource);
  const withSpec = type?.fields.get('spec')?.form === 'struct' && fields['spec'] === undefined ? { spec: {}, ...fields } : fields;
  const filled = type === undefined ? fields : defaultTyped(withSpec, type);
  const content = { metadata, ...(resource.conversion?.toStored(filled) ?? filled) };
  return (resource.rules.complete?.(content, options.applied) ?? content) as StoredContent;
}
