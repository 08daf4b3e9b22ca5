import { defer, switchMap } from 'rxjs';
import { isPlainObject } from '../../api/json.js';
import type * as whole from './wholeRequests.js';

type Methods = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/** What is in arguments at the call. Frozen objects are themselves: which ones they are says whether they are whole. */
function copyOf(value: unknown): unknown {
  if (Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return isPlainObject(value) ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copyOf(part)])) : value;
}

/** Loaded at the first use, and again after a failure: a page that only watches does not need it. */
export const wholeRequests: typeof whole.wholeRequests = (requester) => {
  let loading: Promise<whole.WholeRequests> | undefined;
  const loaded = (): Promise<whole.WholeRequests> =>
    (loading ??= import('./wholeRequests.js').then(
      (module) => module.wholeRequests(requester),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    ));
  const later = (names: readonly string[], of: (requests: whole.WholeRequests) => object): object =>
    Object.fromEntries(
      names.map((name) => [
        name,
        async (...args: unknown[]) => {
          const given = copyOf(args) as unknown[];
          return (of(await loaded()) as Methods)[name]?.(...given);
        },
      ]),
    );
  const ofObject = ['get', 'replace', 'patch'];
  return {
    ...later([...ofObject, 'list', 'getPath', 'create', 'delete', 'deleteCollection'], (requests) => requests),
    status: later(ofObject, ({ status }) => status),
    scale: later(ofObject, ({ scale }) => scale),
    readPath: (...given) => defer(loaded).pipe(switchMap((requests) => requests.readPath(...given))),
    discovery: {
      ...later(['resources', 'find', 'category'], ({ discovery }) => discovery),
      invalidate: () =>
        void loading?.then(
          ({ discovery }) => discovery.invalidate(),
          () => undefined,
        ),
    },
  } as whole.WholeRequests;
};
