import type { ServedResource } from '../kinds/servedResource.js';
import type { FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { metaErrors } from './validateMeta.js';

/**
 * What is wrong with an object that is about to be written; `before` is the one that it replaces.
 *
 * A fixture, which a test puts in place, may leave out what a built-in kind needs and the test does not.
 */
export function objectErrors(
  { rules, custom }: ServedResource,
  content: StoredContent,
  before: StoredContent | undefined,
  fixture: boolean,
): readonly FieldError[] {
  const found = fixture && custom === undefined ? [] : (rules.validate?.(content, before) ?? []);
  return [...metaErrors(content.metadata, rules), ...found];
}
