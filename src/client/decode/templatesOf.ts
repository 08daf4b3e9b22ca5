import type { ItemShape } from './parseObject.js';
import { Templates } from './templates.js';

const memories = new WeakMap<object, Map<string, Templates>>();

/**
 * The templates of those who share objects of that shape.
 */
export function templatesOf(owner: object, { apiVersion, kind, managedFields, scope = '' }: ItemShape): Templates {
  const known = memories.get(owner) ?? new Map<string, Templates>();
  memories.set(owner, known);
  const key = `${apiVersion} ${kind} ${managedFields} ${scope}`;
  const templates = known.get(key) ?? new Templates();
  known.set(key, templates);
  return templates;
}
