import type { ServedResource } from '../kinds/servedResource.js';
import type { FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { builtInErrors } from '../validation/builtInErrors.js';
import { metaErrors } from './validateMeta.js';

/**
 * What is wrong with an object by its kind; `before` is the one that it replaces.
 *
 * A fixture, which a test puts in place, may leave out what a built-in kind needs and the test does not.
 */
export function kindErrors(
  resource: ServedResource,
  content: StoredContent,
  before: StoredContent | undefined,
  fixture: boolean,
): readonly FieldError[] {
  if (resource.custom !== undefined) return resource.rules.validate?.(content, before) ?? [];
  return fixture ? [] : builtInErrors(resource, content, before);
}

/** Validation errors of an object that is about to be created. */
export function objectErrors(resource: ServedResource, content: StoredContent, fixture: boolean): readonly FieldError[] {
  return [...metaErrors(content.metadata, resource.rules), ...kindErrors(resource, content, undefined, fixture)];
}

/** The group by which messages name a kind: events of the newer API are those of the older. */
export function groupOf({ bucketId, group }: ServedResource): string {
  return bucketId === '/events' ? '' : group;
}
