import { checkOptions, describeValue, type OptionRules, rules } from '../../api/options.js';
import type { ListRequest, WatchRequest } from '../../api/listerWatcher.js';
import type {
  DeleteOptions,
  GetOptions,
  ListOptions,
  ObjectOptions,
  PatchOptions,
  ReadOptions,
  ReplaceOptions,
  RequestOptions,
  SelectionOptions,
  SendOptions,
  WriteOptions,
} from '../kubeClient.js';

const sending: OptionRules<SendOptions> = { beforeSend: rules.function, rateLimited: rules.boolean };
const request: OptionRules<RequestOptions> = { ...sending, signal: rules.signal, timeoutMs: rules.durationMs };
const object: OptionRules<ObjectOptions> = { ...request, namespace: rules.string };
const selection: OptionRules<SelectionOptions> = {
  namespace: rules.string,
  labelSelector: rules.either(rules.string, rules.object),
  fieldSelector: rules.string,
};
const resourceVersionMatch = rules.oneOf('Exact', 'NotOlderThan');
const listed: OptionRules<ListRequest> = {
  limit: rules.number({ integer: true, min: 0 }),
  continue: rules.string,
  resourceVersion: rules.string,
  resourceVersionMatch,
  shardSelector: rules.string,
};
const watched: OptionRules<WatchRequest> = {
  resourceVersion: rules.string,
  resourceVersionMatch,
  allowWatchBookmarks: rules.boolean,
  sendInitialEvents: rules.boolean,
  timeoutSeconds: rules.number({ min: 0 }),
  shardSelector: rules.string,
};
const read: OptionRules<ReadOptions> = {
  managedFields: rules.oneOf('drop', 'keep'),
  metadataOnly: rules.boolean,
  sharedBy: rules.object,
  shard: rules.object,
};
const write: OptionRules<WriteOptions> = {
  ...object,
  dryRun: rules.boolean,
  fieldManager: rules.string,
  fieldValidation: rules.oneOf('Ignore', 'Warn', 'Strict'),
};
const deletion: OptionRules<DeleteOptions> = {
  ...object,
  gracePeriodSeconds: rules.number({ integer: true, min: 0 }),
  propagationPolicy: rules.oneOf('Foreground', 'Background', 'Orphan'),
  preconditions: rules.object,
  dryRun: rules.boolean,
};
const preconditionRules: OptionRules<NonNullable<DeleteOptions['preconditions']>> = { uid: rules.string, resourceVersion: rules.string };

interface Calls {
  readonly get: GetOptions;
  readonly list: ListOptions;
  readonly create: WriteOptions;
  readonly replace: ReplaceOptions;
  readonly patch: PatchOptions;
  readonly delete: DeleteOptions;
  readonly deleteCollection: DeleteOptions & SelectionOptions;
  readonly listChunks: ListRequest & SelectionOptions & ReadOptions & SendOptions;
  readonly watch: WatchRequest & SelectionOptions & ReadOptions & SendOptions;
  readonly getPath: RequestOptions;
}

const calls: { readonly [Name in keyof Calls]: OptionRules<Calls[Name]> } = {
  get: { ...object, resourceVersion: rules.string },
  list: { ...request, ...selection, ...listed },
  create: write,
  replace: { ...write, allowTransformed: rules.boolean },
  patch: { ...write, force: rules.boolean },
  delete: deletion,
  deleteCollection: { ...deletion, ...selection },
  listChunks: { ...listed, ...selection, ...read, ...sending },
  watch: { ...watched, ...selection, ...read, ...sending },
  getPath: request,
};

/** Checks the options of a client's method: a misspelt `dryRun` would delete, and a misspelt `namespace` read the whole cluster. */
export function checkRequest<Name extends keyof Calls>(name: Name, options: Calls[Name], part?: string): void {
  const owner = `client.${part === undefined ? '' : `${part}.`}${name}`;
  checkOptions<Calls[Name]>(owner, options, calls[name]);
  const { preconditions } = options as DeleteOptions;
  if (preconditions !== undefined) checkOptions(`${owner}.preconditions`, preconditions, preconditionRules);
}

/** Throws a TypeError where a resource is none: `resources.core.v1.pod` is undefined, as names are those of the URL. */
export function expectResource(resource: unknown): void {
  const { plural, version } = (resource ?? {}) as { readonly plural?: unknown; readonly version?: unknown };
  if (typeof plural === 'string' && typeof version === 'string') return;
  throw new TypeError(`Expected a resource, named as in the URL, such as resources.core.v1.pods, got ${describeValue(resource)}`);
}
