import type { KubeClient } from '../kubeClient.js';
import { collectionRequests } from './collectionRequests.js';
import { objectRequests } from './objectRequests.js';
import type { Requester } from './requester.js';
import { WholeRequester } from './wholeRequester.js';

/** The methods of a client whose answers are read to their end. */
export type WholeRequests = Pick<
  KubeClient,
  'get' | 'replace' | 'patch' | 'list' | 'getPath' | 'create' | 'delete' | 'deleteCollection' | 'status' | 'scale'
>;

/** The methods of a client that read and write objects. */
export function wholeRequests(requester: Requester): WholeRequests {
  const whole = new WholeRequester(requester);
  return {
    ...objectRequests<undefined>(whole),
    ...collectionRequests(requester, whole),
    status: objectRequests<undefined>(whole, 'status'),
    scale: objectRequests(whole, 'scale'),
  };
}
