import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { defer, distinctUntilChanged, exhaustMap, filter, from, type SchedulerLike, timer } from 'rxjs';
import { dateOf, messageOf } from 'rx-informer/internal';
import { certificateProblem, type CertificateSource, type KeyedCertificate } from './certificateSource.js';

/** The directory that kubebuilder's manifests mount the certificate's Secret at. */
export const defaultDirectory = '/tmp/k8s-webhook-server/serving-certs';
/** How often files are read: the kubelet exchanges those of a Secret within a minute or two after it has changed. */
const periodMs = 10_000;

/**
 * A certificate from `tls.crt` and `tls.key` in a directory, as cert-manager writes them into a Secret and the kubelet into a mounted volume. The files
 * are read again every 10 seconds: events about files are unreliable across the kubelet's exchange of links.
 *
 * While a file is missing, or the two do not belong together (one of them may have been written already), the last certificate stays.
 */
export function fileCertificates(directory: string, scheduler: SchedulerLike, log: (problem: string) => void): CertificateSource {
  // The program may change its working directory.
  const folder = resolve(directory);
  let problem: string | undefined = `no certificate in ${directory} yet`;
  const read = async (): Promise<KeyedCertificate | undefined> => {
    const before = problem;
    let found: KeyedCertificate | undefined;
    try {
      // One after the other: of two that are missing, the same one is told each time.
      const cert = await readFile(join(folder, 'tls.crt'), 'utf8');
      const key = await readFile(join(folder, 'tls.key'), 'utf8');
      const wrong = certificateProblem({ cert, key }, dateOf(scheduler));
      problem = wrong === undefined ? undefined : `${directory}: ${wrong}`;
      if (wrong === undefined) found = { cert, key };
    } catch (error) {
      problem = messageOf(error);
    }
    if (problem !== undefined && problem !== before) log(problem);
    return found;
  };
  const certificate$ = timer(0, periodMs, scheduler).pipe(
    exhaustMap(() => defer(() => from(read()))),
    filter((found) => found !== undefined),
    distinctUntilChanged((a, b) => a.cert === b.cert && a.key === b.key),
  );
  return { certificate$, problem: () => problem, stop: () => Promise.resolve() };
}
