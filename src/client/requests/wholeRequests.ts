import { concatMap, defer, type Observable, reduce } from 'rxjs';
import { defaults } from '../../api/defaults.js';
import { isJsonObject } from '../../api/json.js';
import { isStatus, type Status } from '../../api/errors/apiError.js';
import { jsonTextOf } from '../../api/jsonTextOf.js';
import { type KubernetesList, type KubernetesObject, uidOf } from '../../api/kubernetesObject.js';
import { checkOptions, expectArgument, rules, describeValue, similarTo, type OptionRules } from '../../api/options.js';
import { expectResource, type Resource, resourceName, resourcePath } from '../../api/resource.js';
import { createDiscovery } from '../discovery/createDiscovery.js';
import type {
  KubeClient,
  SendOptions,
  ClientWrite,
  DeleteOptions,
  ListOptions,
  PatchOptions,
  PatchType,
  ReplaceOptions,
  Scale,
  SubresourceClient,
  GetOptions,
  ObjectOptions,
  RequestOptions,
  SelectionOptions,
  WriteOptions,
} from '../kubeClient.js';
import { successful, jsonOf, type Answer } from './answer.js';
import { listed, query, selection, selectionPath, sending } from './parameters.js';
import { requestName } from './requestError.js';
import type { Requester } from './requester.js';
import { listChunks, typeOf } from './streams.js';
import type { TransportRequest } from './transport.js';
import { withCallers } from './withCallers.js';
import { WholeRequester } from './wholeRequester.js';
import { isTransformed } from '../../api/transformed.js';

type AnyResource = Resource<KubernetesObject, never>;

/** The namespace of a request about one object, or `''`. Throws when the options and the object differ. */
function namespaceOf(resource: AnyResource, { namespace: asked = '' }: ObjectOptions, object?: KubernetesObject): string {
  const own = object?.metadata?.namespace ?? '';
  if (asked !== '' && own !== '' && asked !== own) {
    throw new TypeError(`Expected the object's namespace to be the option's ${JSON.stringify(asked)}, got ${JSON.stringify(own)}`);
  }
  const namespace = asked === '' ? own : asked;
  if (resource.namespaced && namespace === '') throw new TypeError(`Expected a \`namespace\` for ${resourceName(resource)}, got none`);
  return namespace;
}

function checkName(resource: AnyResource, name: unknown): asserts name is string {
  if (typeof name === 'string' && name !== '') return;
  const got = name === undefined ? 'none' : describeValue(name);
  throw new TypeError(`Expected the \`name\` of one of ${resourceName(resource)}, got ${got}`);
}

/**
 * Where the object of this name is: its namespace, name, and path.
 *
 * @param object - its namespace is used if the options have none.
 * @throws TypeError when the name is missing, or the namespace is missing or differs from that of the options.
 */
function targetOf(resource: AnyResource, name: unknown, options: ObjectOptions, subresource?: string, object?: KubernetesObject) {
  expectResource(resource);
  checkName(resource, name);
  const namespace = namespaceOf(resource, options, object);
  return { namespace, name, path: resourcePath(resource, { namespace, name, subresource }) };
}

/** The namespace and name of an object. */
type Place = Pick<ClientWrite, 'namespace' | 'name'>;

/** The namespace and name of an object in an answer; undefined for whatever is not an object with a usable name, as a gateway or a webhook may answer. */
function placeOf(answer: unknown): Place | undefined {
  const metadata = isJsonObject(answer) ? answer['metadata'] : undefined;
  if (!isJsonObject(metadata)) return undefined;
  const { namespace = '', name } = metadata;
  return typeof name === 'string' && name !== '' && typeof namespace === 'string' ? { namespace, name } : undefined;
}

/** The answer to the write of one object, unless it is something else than that object. */
function objectIn(answer: KubernetesObject | Status, { namespace, name }: Place): Pick<ClientWrite, 'object'> {
  const place = placeOf(answer);
  return place?.name === name && place.namespace === namespace ? { object: answer } : {};
}

/** What the answer to a deletion says of the deleted object. */
function deletionOf(answer: KubernetesObject | Status, place: Place): Pick<ClientWrite, 'object' | 'uid'> {
  const uid: unknown = isStatus(answer) ? answer.details?.uid : uidOf(answer);
  return { ...objectIn(answer, place), ...(typeof uid === 'string' && { uid }) };
}

/** The path to create an object at: throws a TypeError when it has no `name` or `generateName`, or its namespace is missing or not that of the options. */
function creationPath(resource: AnyResource, object: KubernetesObject, options: ObjectOptions): string {
  expectResource(resource);
  // A review, such as a SubjectAccessReview, has no name: the server answers it and does not store it.
  const isStored = 'get' in resource.verbs;
  if (isStored && (object.metadata?.generateName === undefined || object.metadata.generateName === ''))
    checkName(resource, object.metadata?.name);
  return resourcePath(resource, { namespace: namespaceOf(resource, options, object) });
}

function checkPath(path: unknown): void {
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new TypeError(`Expected \`path\` to begin with "/", got ${describeValue(path)}`);
}

/** Adds the type to an object, which the server demands of custom resources. Throws a TypeError when it has another one. */
function typed<O extends KubernetesObject>(object: O, expected: { readonly apiVersion: string; readonly kind: string }): O {
  for (const field of ['kind', 'apiVersion'] as const) {
    const actual = object[field];
    if (actual !== undefined && actual !== expected[field]) {
      throw new TypeError(`Expected the object's \`${field}\` to be ${JSON.stringify(expected[field])}, got ${describeValue(actual)}`);
    }
  }
  return { ...object, ...expected };
}

const request: OptionRules<RequestOptions> = { ...sending, signal: rules.signal, timeoutMs: rules.durationMs };
const object: OptionRules<ObjectOptions> = { ...request, namespace: rules.string };
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

const calls = {
  get: { ...object, resourceVersion: rules.string } satisfies OptionRules<GetOptions>,
  list: { ...request, ...selection, ...listed } satisfies OptionRules<ListOptions>,
  create: write,
  replace: { ...write, allowTransformed: rules.boolean } satisfies OptionRules<ReplaceOptions>,
  patch: { ...write, force: rules.boolean } satisfies OptionRules<PatchOptions>,
  delete: deletion,
  deleteCollection: { ...deletion, ...selection } satisfies OptionRules<DeleteOptions & SelectionOptions>,
  getPath: request,
};

/** Checks the options of a client's method. A misspelt `dryRun` would delete, a misspelt `namespace` would read the whole cluster. */
function checkRequest(name: keyof typeof calls, options: object, part?: string): void {
  const owner = `client.${part === undefined ? '' : `${part}.`}${name}`;
  checkOptions<object>(owner, options, calls[name]);
  const { preconditions } = options as DeleteOptions;
  if (preconditions !== undefined) checkOptions(`${owner}.preconditions`, preconditions, preconditionRules);
}

/** The query of a write. */
function writeQuery({ dryRun, fieldManager, fieldValidation, force }: PatchOptions): string {
  return query({ dryRun: dryRun === true ? 'All' : undefined, fieldManager, fieldValidation, force });
}

/** The content type of each patch type. */
const contentTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** The object that a patch changes. */
type PatchSubject = Readonly<Record<'apiVersion' | 'kind' | 'name', string>>;

function checkForType(type: PatchType, { force, fieldManager = '' }: PatchOptions): void {
  if (type === 'apply' && fieldManager === '')
    throw new TypeError("Expected a `fieldManager` for a patch of type 'apply': the name under which this program owns fields, got none");
  if (type !== 'apply' && force !== undefined)
    throw new TypeError(`Expected \`force\` only for a patch of type 'apply', got it for '${type}'`);
}

/** An apply patch must contain type and name; fills them in. */
function applied(patch: Record<string, unknown>, { apiVersion, kind, name }: PatchSubject): object {
  const metadata = isJsonObject(patch['metadata']) ? patch['metadata'] : {};
  return { apiVersion, kind, ...patch, metadata: { name, ...metadata } };
}

function checkType(type: unknown): asserts type is PatchType {
  if (typeof type === 'string' && Object.hasOwn(contentTypes, type)) return;
  const hint = typeof type === 'string' ? similarTo(type, Object.keys(contentTypes)) : '';
  throw new TypeError(
    `Expected the type of a patch to stand before it, 'json', 'merge', 'strategic' or 'apply', got ${describeValue(type)}${hint === '' ? ';' : hint} ` +
      "for example client.patch(resource, name, 'merge', { spec: { replicas: 2 } })",
  );
}

/** The body and the headers of a PATCH; an apply patch may be YAML text. Throws a TypeError when the patch or the options do not fit the type. */
function patchBody(
  type: PatchType,
  patch: unknown,
  options: PatchOptions,
  subject: PatchSubject,
): Required<Pick<TransportRequest, 'body' | 'headers'>> {
  checkForType(type, options);
  const headers = { 'content-type': contentTypes[type] };
  if (type === 'apply' && typeof patch === 'string') return { body: patch, headers };
  if (type === 'json' ? !Array.isArray(patch) : !isJsonObject(patch)) {
    const got = Array.isArray(patch) ? 'an array' : patch === null ? 'null' : typeof patch;
    throw new TypeError(`Expected a patch of type '${type}' to be ${type === 'json' ? 'an array of operations' : 'an object'}, got ${got}`);
  }
  return { body: jsonTextOf(type === 'apply' && isJsonObject(patch) ? applied(patch, subject) : patch), headers };
}

const instead = 'Send the patch of `edit`, or change and replace the result of `client.get`';

/** Throws a TypeError when parts of an object are known to be missing, which a PUT would delete: it is metadata alone, or a transform made it. */
function expectWhole(
  resource: AnyResource,
  { namespace, name }: Place,
  object: KubernetesObject,
  { allowTransformed = false }: ReplaceOptions,
): void {
  const place = namespace === '' ? name : `${namespace}/${name}`;
  const expected = `Expected the replacement of ${place} of ${resourceName(resource)} to be a complete object of the server`;
  if (object.kind === 'PartialObjectMetadata') {
    throw new TypeError(`${expected}, got its metadata alone: the server would delete all other fields. ${instead}`);
  }
  if (!allowTransformed && isTransformed(object)) {
    throw new TypeError(
      `${expected}, got the result of a \`transform\`: the server would delete the fields that are missing in it. ${instead}; \`allowTransformed: true\` sends it as it is`,
    );
  }
}

const scaleType = { apiVersion: 'autoscaling/v1', kind: 'Scale' };

/** The methods of a client that read and write single objects, or one subresource of them. */
function objectRequests<S extends Scale | undefined>(requester: WholeRequester, subresource?: 'status' | 'scale'): SubresourceClient<S> {
  const typeIn = (resource: AnyResource) => (subresource === 'scale' ? scaleType : typeOf(resource));
  /** A write to `scale` is answered with a Scale, not with the object. */
  const written = (answer: KubernetesObject, place: Place) => ({
    ...place,
    ...(subresource !== undefined && { subresource }),
    ...(subresource !== 'scale' && objectIn(answer, place)),
  });

  return {
    get: async (resource, name, options = {}) => {
      checkRequest('get', options, subresource);
      const { path } = targetOf(resource, name, options, subresource);
      return requester.object({ method: 'GET', path: path + query({ resourceVersion: options.resourceVersion }) }, options);
    },

    replace: async (resource, object, options = {}) => {
      checkRequest('replace', options, subresource);
      expectArgument('client.replace', 'object', object, rules.object);
      const { path, ...place } = targetOf(resource, object.metadata?.name, options, subresource, object);
      expectWhole(resource, place, object, options);
      const body = jsonTextOf(typed<KubernetesObject>(object, typeIn(resource)));
      return requester.write({ method: 'PUT', path: path + writeQuery(options), body }, options, (answer) => [
        { verb: 'replace', resource, ...written(answer, place) },
      ]);
    },

    patch: async (resource, name, type, patch, options = {}) => {
      checkRequest('patch', options, subresource);
      checkType(type);
      const { path, ...place } = targetOf(resource, name, options, subresource);
      const sent = patchBody(type, patch, options, { ...typeIn(resource), name });
      return requester.write({ method: 'PATCH', path: path + writeQuery(options), ...sent }, options, (answer) => [
        { verb: 'patch', resource, ...written(answer, place) },
      ]);
    },
  };
}

/** The limit for answers with many objects, and for `getPath`: the OpenAPI document of a large cluster has some 10 MB. */
const maxBytes = 128 * 1024 * 1024;

/** Without a limit, a list whose connection went silent would wait forever. */
const silenceMs = defaults.listTimeoutMs;

function collect<T>(lists: KubernetesList<T>, chunk: KubernetesList<T>): KubernetesList<T> {
  // Append to one array instead of copying it for each chunk.
  for (const item of chunk.items) (lists.items as T[]).push(item);
  return { ...lists, ...chunk, items: lists.items };
}

function textOrJson(answer: Answer, request: string): unknown {
  const text = answer.headers['content-type']?.startsWith('text/plain') === true;
  return text ? new TextDecoder().decode(answer.body) : jsonOf(answer, request);
}

function deleteBody({ gracePeriodSeconds, propagationPolicy, preconditions, dryRun }: DeleteOptions): { readonly body?: string } {
  const given = { gracePeriodSeconds, propagationPolicy, preconditions, dryRun: dryRun === true ? ['All'] : undefined };
  if (Object.values(given).every((value) => value === undefined)) return {};
  return { body: JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', ...given }) };
}

/** The objects of an answer to the deletion of a collection, with their places: an empty list of Go may be null. */
function itemsOf(answer: object): readonly (readonly [KubernetesObject, Place])[] {
  const items = 'items' in answer && Array.isArray(answer.items) ? (answer.items as KubernetesObject[]) : [];
  return items.flatMap((object) => {
    const place = placeOf(object);
    return place === undefined ? [] : [[object, place]];
  });
}

/** How messages name a list. */
function listName(resource: AnyResource, { namespace }: ListOptions): string {
  expectResource(resource);
  return requestName({ method: 'GET', path: resourcePath(resource, { namespace }) });
}

/** The part of a client that lists, creates and deletes objects, and reads any path. */
function collectionRequests(
  requester: Requester,
  whole: WholeRequester,
): Pick<KubeClient, 'list' | 'getPath' | 'create' | 'delete' | 'deleteCollection'> {
  return {
    list: async <T extends KubernetesObject>(resource: Resource<T, 'list'>, options: ListOptions = {}) => {
      checkRequest('list', options);
      const { signal: _, timeoutMs: __, ...listed } = options;
      const send = (timeoutMs: number) =>
        listChunks(requester, resource, { ...listed, managedFields: 'keep' }, { timeoutMs, silenceMs }).pipe(
          reduce(collect<T>, { items: [] }),
        );
      return whole.run(send, options.timeoutMs ?? 0, options, listName(resource, options));
    },

    getPath: async (path, options = {}) => {
      checkRequest('getPath', options);
      checkPath(path);
      return textOrJson(await whole.ask({ method: 'GET', path, maxBytes }, options), requestName({ method: 'GET', path }));
    },

    create: async (resource, object, options = {}) => {
      checkRequest('create', options);
      expectArgument('client.create', 'object', object, rules.object);
      const path = creationPath(resource, object, options) + writeQuery(options);
      const body = jsonTextOf(typed(object, typeOf(resource)));
      return whole.write({ method: 'POST', path, body }, options, (created) =>
        itemsOf({ items: [created] }).map(([created, place]) => ({ verb: 'create', resource, ...place, object: created })),
      );
    },

    delete: async (resource, name, options = {}) => {
      checkRequest('delete', options);
      const { path, ...place } = targetOf(resource, name, options);
      return whole.write({ method: 'DELETE', path, ...deleteBody(options) }, options, (answer) => [
        { verb: 'delete', resource, ...place, ...deletionOf(answer, place) },
      ]);
    },

    deleteCollection: async (resource, options = {}) => {
      checkRequest('deleteCollection', options);
      expectResource(resource);
      const path = selectionPath(resource, options, listed);
      return whole.write({ method: 'DELETE', path, maxBytes, ...deleteBody(options) }, options, (answer) =>
        itemsOf(answer).map(([object, place]) => ({ verb: 'delete', resource, ...place, ...deletionOf(object, place) })),
      );
    },
  };
}

/** The part of a client that informers do not use: everything but lists in parts and watches. */
export type WholeRequests = Omit<KubeClient, 'server' | 'defaultNamespace' | 'writes$' | 'listChunks' | 'watch' | 'watchList' | 'close'>;

/** The bytes of the answer to one GET as a cold observable. */
function readPath(requester: Requester, path: string, request: SendOptions = {}): Observable<Uint8Array> {
  checkOptions('client.readPath', request, sending);
  checkPath(path);
  // Compression would buffer the lines of a log.
  const headers = { 'accept-encoding': 'identity', accept: '*/*' };
  const sent: TransportRequest = { method: 'GET', path, headers, beforeSend: request.beforeSend };
  return defer(() => requester.open(sent, request.rateLimited)).pipe(
    successful(requestName(sent)),
    concatMap((event) => (event.type === 'data' ? [event.chunk] : [])),
  );
}

/** The methods of a client that read and write objects, read paths and discover resources. */
export function wholeRequests(requester: Requester): WholeRequests {
  const whole = new WholeRequester(requester);
  return withCallers({
    ...objectRequests<undefined>(whole),
    ...collectionRequests(requester, whole),
    status: objectRequests<undefined>(whole, 'status'),
    scale: objectRequests(whole, 'scale'),
    readPath: (path, request) => readPath(requester, path, request),
    discovery: createDiscovery((path, accept) => whole.object({ method: 'GET', path, headers: { accept } })),
  });
}
