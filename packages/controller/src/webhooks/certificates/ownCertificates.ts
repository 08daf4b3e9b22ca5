import { defer, distinctUntilChanged, filter, map, merge, Subscription } from 'rxjs';
import { dateOf, messageOf } from 'rx-informer/internal';
import { readYourWrites } from 'rx-informer/pipeline';
import { createInformer, resources, type V1Secret } from 'rx-informer';
import { electLeader } from '../../leader/electLeader.js';
import { certificateProblem, type CertificateSource } from './certificateSource.js';
import { heldIn } from './heldCertificates.js';
import { type OwnCertificateParts, renewCertificates } from './renewCertificates.js';

const { secrets } = resources.core.v1;

/**
 * A certificate that the replicas share in a Secret, and that one of them, elected by a Lease, makes and renews. Every replica serves what is in the Secret,
 * as soon as its watch brings it.
 */
export function ownCertificates(own: OwnCertificateParts): CertificateSource {
  const { client, certificates, settings } = own;
  const { scheduler, logger } = settings;
  const { namespace, name } = certificates.secret;
  // Compared with an older Secret than it has written, the program would write again, and fail.
  const parts = [readYourWrites()];
  const informer = createInformer(client, secrets, { namespace, fieldSelector: `metadata.name=${name}`, scheduler, parts });
  const election = electLeader(client, { lease: { namespace, name }, scheduler });
  const running = new Subscription();
  const log = (failure: unknown): void => logger.error(`webhooks: ${messageOf(failure)}`);
  const problemOf = (): string | undefined => {
    const held = heldIn(informer.lister.namespace(namespace).get(name));
    if (held.cert === '') return `no certificate in the Secret ${namespace}/${name} yet`;
    return certificateProblem(held, dateOf(scheduler));
  };
  const certificate$ = defer(() => {
    running.add(merge(election.error$, informer.error$).subscribe({ next: log, error: log }));
    const renewing = election.whileLeading((leadership) => renewCertificates(own, informer, leadership.client));
    running.add(renewing.subscribe({ error: log }));
    return informer.resource$.pipe(
      filter((event) => event.type !== 'synced' && event.type !== 'deleted'),
      map((event) => heldIn((event as { readonly object: V1Secret }).object)),
      filter((held) => certificateProblem(held, dateOf(scheduler)) === undefined),
      map(({ cert, key }) => ({ cert, key })),
      distinctUntilChanged((a, b) => a.cert === b.cert),
    );
  });
  return {
    certificate$,
    problem: problemOf,
    async stop() {
      running.unsubscribe();
      await election.stop();
      await informer.stop();
    },
  };
}
