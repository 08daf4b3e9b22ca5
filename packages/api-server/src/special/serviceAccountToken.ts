import { timestamp } from '../clock.js';
import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import type { ResourceTarget } from '../http/routePath.js';
import type { BoundObject } from '../auth/tokenIssuer.js';
import { asJsonObject, asString, textsAt, valueAt, type JsonObject } from '../json.js';
import { badRequest, conflict, invalid, invalidValue, notFound } from '../status/statusErrors.js';
import { submitAction } from '../write/submit/submitAction.js';
import { requireObject } from '../read/getObject.js';
import type { StoredObject } from '../store/storedObject.js';
import { submittedAction } from './podSubresources.js';

const usualSeconds = 3_600;
const group = 'authentication.k8s.io/v1';
const kind = 'TokenRequest';

function audiencesOf({ audiences }: JsonObject, issuer: string): readonly string[] {
  const asked = textsAt(audiences).filter((audience) => audience !== '');
  return asked.length === 0 ? [issuer] : asked;
}

const least = 600;
const most = 2 ** 32;

function checkDuration(seconds: number): void {
  const refuse = (problem: string): never => {
    throw invalid(kind, 'authentication.k8s.io', '', [invalidValue('spec.expirationSeconds', String(seconds), problem)]);
  };
  if (seconds < least) refuse('may not specify a duration less than 10 minutes');
  if (seconds > most) refuse('may not specify a duration larger than 2^32 seconds');
}

const boundKinds: Readonly<Record<string, string>> = { Pod: '/pods', Node: '/nodes', Secret: '/secrets' };

/** The object that a token is bound to. */
function boundTo({ store }: Cluster, { namespace, name: account }: StoredObject, reference: JsonObject): BoundObject | undefined {
  const { kind: own, apiVersion, name: of, uid } = reference;
  if (own === undefined) return undefined;
  const [bucket, name] = [boundKinds[asString(own)], asString(of)];
  if (bucket === undefined || (apiVersion !== undefined && apiVersion !== 'v1')) {
    const [version = '', first = ''] = asString(apiVersion).split('/').reverse();
    throw badRequest(`cannot bind token to object of type ${first}/${version}, Kind=${asString(own)}`);
  }
  const found = store.bucket(bucket).get(own === 'Node' ? name : `${namespace}/${name}`);
  const plural = bucket.slice(1);
  if (found === undefined) throw notFound({ group: '', plural }, name);
  if (asString(uid) !== '' && uid !== found.head.uid) {
    const problem = `the UID in the bound object reference (${asString(uid)}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', plural }, name, problem);
  }
  if (own === 'Pod' && valueAt(found.content, 'spec', 'serviceAccountName') !== account)
    throw badRequest(`cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`);
  return { kind: asString(own), name, uid: found.head.uid };
}

function boundExtra(bound: BoundObject | undefined): Readonly<Record<string, readonly string[]>> {
  if (bound === undefined || bound.kind === 'Secret') return {};
  const prefix = `authentication.kubernetes.io/${bound.kind.toLowerCase()}`;
  return { [`${prefix}-name`]: [bound.name], [`${prefix}-uid`]: [bound.uid] };
}

/** Handles a TokenRequest of a service account. On a server with authentication, the token is valid from now on, until what it was given for is gone. */
export async function handleToken(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const { access, clock, random, store, tokenIssuer } = cluster;
  const sent = await submittedAction(cluster, exchange, target, kind, [group]);
  const found = requireObject(cluster, target);
  const { namespace, name, head } = found;
  const said = asString(valueAt(sent, 'metadata', 'name'));
  if (said !== '' && said !== name)
    throw invalid(kind, 'authentication.k8s.io', name, [
      invalidValue('metadata.name', JSON.stringify(said), 'must match the service account name if specified'),
    ]);
  const body = await submitAction(cluster, exchange, target, { kind, apiVersion: group, ...sent });
  const spec = asJsonObject(body['spec']);
  const { expirationSeconds = usualSeconds } = spec;
  const seconds = typeof expirationSeconds === 'number' ? expirationSeconds : usualSeconds;
  checkDuration(seconds);
  const bound = boundTo(cluster, found, asJsonObject(spec['boundObjectRef']));
  const issuedAt = Math.floor(clock.now() / 1_000);
  const audiences = audiencesOf(spec, tokenIssuer.issuer);
  const subject = { namespace, name, uid: head.uid, audiences, issuedAt, expiresAt: issuedAt + seconds, id: random.uid(), bound };
  const token = tokenIssuer.issue(subject);
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  const extra = { 'authentication.kubernetes.io/credential-id': [`JTI=${subject.id}`], ...boundExtra(bound) };
  access.tokens.set(token, { name: `system:serviceaccount:${namespace}:${name}`, uid: head.uid, groups, extra });
  clock.schedule(() => access.tokens.delete(token), seconds * 1_000);
  const unlisten = store.onChange((_, { type, object }) => {
    if (type === 'DELETED' && [head.uid, bound?.uid].includes(object.head.uid)) access.tokens.delete(token);
  });
  clock.schedule(unlisten, seconds * 1_000);
  await exchange.sendObject(201, {
    kind,
    apiVersion: group,
    metadata: { name, namespace, uid: head.uid, creationTimestamp: timestamp(clock.now()) },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: spec['boundObjectRef'] ?? null },
    status: { token, expirationTimestamp: timestamp(clock.now() + seconds * 1_000) },
  });
}
