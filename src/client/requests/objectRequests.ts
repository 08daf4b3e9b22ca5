import { jsonTextOf } from '../../api/jsonTextOf.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { PatchOptions, PatchType, ReplaceOptions, Scale, SubresourceClient } from '../kubeClient.js';
import type { TransportRequest } from './transport.js';
import { query, writeQuery } from './query.js';
import type { WholeRequester } from './wholeRequester.js';
import { checkRequest } from './requestRules.js';
import { typeOf } from './streamRules.js';
import { targetOf, typed } from './target.js';
import { type Resource, resourceName } from '../../api/resource.js';
import { describeValue, similarTo } from '../../api/options.js';
import { isTransformed } from '../../api/transformed.js';
import { isRecord } from '../decode/parseObject.js';

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
  const metadata = isRecord(patch['metadata']) ? patch['metadata'] : {};
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
  if (type === 'json' ? !Array.isArray(patch) : !isRecord(patch)) {
    const got = Array.isArray(patch) ? 'an array' : patch === null ? 'null' : typeof patch;
    throw new TypeError(`Expected a patch of type '${type}' to be ${type === 'json' ? 'an array of operations' : 'an object'}, got ${got}`);
  }
  return { body: jsonTextOf(type === 'apply' && isRecord(patch) ? applied(patch, subject) : patch), headers };
}

const instead = 'Send the patch of `edit`, or change and replace the result of `client.get`';

/** Throws a TypeError when parts of an object are known to be missing, which a PUT would delete: it is metadata alone, or a transform made it. */
function expectWhole(
  resource: Resource<KubernetesObject, never>,
  { namespace, name }: { readonly namespace: string; readonly name: string },
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

type AnyResource = Resource<KubernetesObject, never>;

const scaleType = { apiVersion: 'autoscaling/v1', kind: 'Scale' };

/** The methods of a client that read and write single objects, or one subresource of them. */
export function objectRequests<S extends Scale | undefined>(
  requester: WholeRequester,
  subresource?: 'status' | 'scale',
): SubresourceClient<S> {
  const typeIn = (resource: AnyResource) => (subresource === 'scale' ? scaleType : typeOf(resource));
  /** A write to `scale` is answered with a Scale, not with the object. */
  const written = (answer: KubernetesObject) => ({
    ...(subresource !== undefined && { subresource }),
    ...(subresource !== 'scale' && { object: answer }),
  });

  return {
    get: async (resource, name, options = {}) => {
      checkRequest('get', options, subresource);
      const { path } = targetOf(resource, name, options, subresource);
      return requester.object({ method: 'GET', path: path + query({ resourceVersion: options.resourceVersion }) }, options);
    },

    replace: async (resource, object, options = {}) => {
      checkRequest('replace', options, subresource);
      const { path, ...place } = targetOf(resource, object.metadata?.name, options, subresource, object);
      expectWhole(resource, place, object, options);
      const body = jsonTextOf(typed<KubernetesObject>(object, typeIn(resource)));
      return requester.write({ method: 'PUT', path: path + writeQuery(options), body }, options, (answer) => [
        { verb: 'replace', resource, ...place, ...written(answer) },
      ]);
    },

    patch: async (resource, name, type, patch, options = {}) => {
      checkRequest('patch', options, subresource);
      checkType(type);
      const { path, ...place } = targetOf(resource, name, options, subresource);
      const sent = patchBody(type, patch, options, { ...typeIn(resource), name });
      return requester.write({ method: 'PATCH', path: path + writeQuery(options), ...sent }, options, (answer) => [
        { verb: 'patch', resource, ...place, ...written(answer) },
      ]);
    },
  };
}
