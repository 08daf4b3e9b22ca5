import { defer, from, switchMap } from 'rxjs';
import type * as whole from './wholeRequests.js';

type Methods = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

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
    Object.fromEntries(names.map((name) => [name, async (...args: unknown[]) => (of(await loaded()) as Methods)[name]?.(...args)]));
  const ofObject = ['get', 'replace', 'patch'];
  return {
    ...later([...ofObject, 'list', 'getPath', 'create', 'delete', 'deleteCollection'], (requests) => requests),
    status: later(ofObject, ({ status }) => status),
    scale: later(ofObject, ({ scale }) => scale),
    readPath: (...given) => defer(() => from(loaded())).pipe(switchMap((requests) => requests.readPath(...given))),
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
