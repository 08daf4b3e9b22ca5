import { timestamp } from '../clock.js';
import type { Cluster } from '../cluster.js';
import { decodeObject } from '../write/decodeObject.js';
import type { Exchange } from '../http/exchange.js';
import { readBody } from '../http/readBody.js';
import type { ResourceTarget } from '../http/routePath.js';
import { asJsonObject, asString, isJsonArray, type JsonObject } from '../json.js';
import { submitAction } from '../write/submit/submitAction.js';
import { requireObject } from '../read/getObject.js';

const usualSeconds = 3_600;
const group = 'authentication.k8s.io/v1';
const kind = 'TokenRequest';

function audiencesOf({ audiences }: JsonObject, issuer: string): readonly string[] {
  const asked = isJsonArray(audiences) ? audiences.map(asString).filter((audience) => audience !== '') : [];
  return asked.length === 0 ? [issuer] : asked;
}

/** Answers a request for a token of a service account. Where tokens are asked for, it is one of those that count. */
export async function handleToken(cluster: Cluster, exchange: Exchange, target: ResourceTarget): Promise<void> {
  const { access, clock, random, tokenIssuer } = cluster;
  exchange.negotiate({ yaml: true, converts: () => false });
  const asked = { ...target.resource, kind, groupVersion: group, group: 'authentication.k8s.io' };
  const sent = decodeObject(cluster, asked, exchange.incoming.headers['content-type'], await readBody(exchange.incoming));
  const { namespace, name, head } = requireObject(cluster, target);
  const body = await submitAction(cluster, exchange, target, { kind, apiVersion: group, ...sent });
  const spec = asJsonObject(body['spec']);
  const { expirationSeconds = usualSeconds } = spec;
  const seconds = typeof expirationSeconds === 'number' ? expirationSeconds : usualSeconds;
  const issuedAt = Math.floor(clock.now() / 1_000);
  const audiences = audiencesOf(spec, tokenIssuer.issuer);
  const subject = { namespace, name, uid: head.uid, audiences, issuedAt, expiresAt: issuedAt + seconds, id: random.uid() };
  const token = tokenIssuer.issue(subject);
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  access.tokens.set(token, { name: `system:serviceaccount:${namespace}:${name}`, uid: head.uid, groups });
  clock.setTimer(() => access.tokens.delete(token), seconds * 1_000);
  await exchange.sendObject(201, {
    kind,
    apiVersion: group,
    metadata: { name, namespace, creationTimestamp: timestamp(clock.now()) },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: spec['boundObjectRef'] ?? null },
    status: { token, expirationTimestamp: timestamp(clock.now() + seconds * 1_000) },
  });
}
