import type { ServedResource } from '../kinds/servedResource.js';
import type { FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { builtInErrors } from '../validation/builtInErrors.js';
import { metaErrors } from './validateMeta.js';

/**
 * Validation errors of an object by its kind; `before` is the object that it replaces.
 *
 * A fixture, created by a test, may omit required fields of built-in kinds.
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

/** Validation errors of an object to create. */
export function objectErrors(resource: ServedResource, content: StoredContent, fixture: boolean): readonly FieldError[] {
  return [...metaErrors(content.metadata, resource.rules), ...kindErrors(resource, content, undefined, fixture)];
}

/** The group in error messages: events of events.k8s.io are reported as those of the core group. */
export function groupOf({ bucketId, group }: ServedResource): string {
  return bucketId === '/events' ? '' : group;
}
