import type { KubernetesObject } from 'rx-informer';
import { expectArgument, noteCopy, rules } from 'rx-informer/internal';
import { LeaderElectionError } from './leaderElectionError.js';

/** The annotation with the token of the last leader that wrote the object. */
export const fenceAnnotation = 'rx-informer/fencing-token';

/** A copy of the object with a token, unless it has a later one. */
export function fence<T extends KubernetesObject>(object: T, token: number): T {
  expectArgument('fence', 'object', object, rules.object);
  const { metadata = {} } = object;
  const { name = 'object', uid, resourceVersion, annotations } = metadata;
  if (uid !== undefined && resourceVersion === undefined) {
    throw new TypeError(`Expected ${name} to have a \`metadata.resourceVersion\`: without it the server cannot refuse a stale write`);
  }
  const last = Number(annotations?.[fenceAnnotation] ?? -1);
  if (last > token) {
    throw new LeaderElectionError(
      'ERR_FENCED',
      `${name} was written by leader number ${last}, and this is number ${token}: a later leader is at work`,
    );
  }
  return noteCopy(object, { ...object, metadata: { ...metadata, annotations: { ...annotations, [fenceAnnotation]: String(token) } } });
}
