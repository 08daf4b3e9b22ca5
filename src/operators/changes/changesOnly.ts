import { map, type MonoTypeOperatorFunction } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import { describeValue } from '../../api/options/describeValue.js';

/** Fails with a TypeError at the first value that is no change: events do not say where a change ends. */
export function changesOnly<T>(owner: string): MonoTypeOperatorFunction<ResourceChange<T>> {
  return map((value) => {
    const given: unknown = value;
    const { events, type } = (given ?? {}) as { readonly events?: unknown; readonly type?: unknown };
    if (Array.isArray(events)) return value;
    const got =
      typeof type === 'string' ? `the event ${describeValue(type)}: take \`change$\` in place of \`resource$\`` : describeValue(value);
    throw new TypeError(`Expected \`${owner}\` to be given changes, got ${got}`);
  });
}
