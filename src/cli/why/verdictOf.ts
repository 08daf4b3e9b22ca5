import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import { isReady } from '../../operators/readiness/isReady.js';
import { humanDuration } from '../../testing/server/tables/humanDuration.js';
import { listAt, numberAt, textAt } from '../../testing/server/tables/fieldAt.js';
import type { Facts } from './gatherFacts.js';

function deletion({ metadata }: UnstructuredObject, now: number): string | undefined {
  if (metadata?.deletionTimestamp === undefined) return undefined;
  const { deletionTimestamp, finalizers = [] } = metadata;
  const since = humanDuration(Math.max(0, now - Date.parse(deletionTimestamp)));
  return `being deleted for ${since}${finalizers.length === 0 ? '' : `; it waits for ${finalizers.join(', ')} to remove ${finalizers.length === 1 ? 'a finalizer' : 'finalizers'}`}`;
}

/** The first container that does not run, and why. */
function container(object: unknown): string | undefined {
  for (const field of ['initContainerStatuses', 'containerStatuses'])
    for (const status of listAt(object, 'status', field)) {
      const name = textAt(status, 'name');
      const waiting = textAt(status, 'state', 'waiting', 'reason');
      const ended = textAt(status, 'lastState', 'terminated', 'reason');
      const code = numberAt(status, 'lastState', 'terminated', 'exitCode');
      const before = ended === '' ? '' : `; it last ended with ${ended}, exit code ${String(code)}`;
      if (waiting !== '') return `container ${name} waits: ${textAt(status, 'state', 'waiting', 'message') || waiting}${before}`;
      const reason = textAt(status, 'state', 'terminated', 'reason');
      if (reason !== '' && reason !== 'Completed')
        return `container ${name} ended: ${reason}, exit code ${String(numberAt(status, 'state', 'terminated', 'exitCode'))}`;
    }
  return undefined;
}

/** The condition that says what is missing: one that is false and has something to say. */
function condition(object: unknown): string | undefined {
  const wrong = listAt(object, 'status', 'conditions').filter((one) => textAt(one, 'status') !== 'True');
  const telling = wrong.find((one) => textAt(one, 'message') !== '') ?? wrong[0];
  if (telling === undefined) return undefined;
  const detail = [textAt(telling, 'reason'), textAt(telling, 'message')].filter((text) => text !== '').join(': ');
  return `${textAt(telling, 'type')} is ${textAt(telling, 'status') || 'Unknown'}${detail === '' ? '' : `: ${detail}`}`;
}

function warning({ events }: Facts): string | undefined {
  const last = events.filter(({ event }) => event.type === 'Warning').at(-1)?.event;
  return last === undefined ? undefined : `${last.reason ?? 'Warning'}: ${last.message ?? ''}`;
}

/** Why an object is as it is, in one sentence: what keeps it from being ready, or that nothing does. */
export function verdictOf(facts: Facts, now: number): { readonly isWell: boolean; readonly text: string } {
  const { object } = facts;
  const gone = deletion(object, now);
  if (gone !== undefined) return { isWell: false, text: gone };
  if (textAt(object, 'status', 'phase') === 'Succeeded') return { isWell: true, text: 'completed' };
  if (isReady(object)) return { isWell: true, text: 'ready' };
  const reason = container(object) ?? condition(object) ?? warning(facts);
  return { isWell: false, text: reason === undefined ? 'not ready, and no condition or event gives a reason' : `not ready: ${reason}` };
}
