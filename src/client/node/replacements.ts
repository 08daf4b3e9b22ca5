import { identity, map, type MonoTypeOperatorFunction, Subject, takeUntil } from 'rxjs';
import type { Credentials, CredentialSource } from '../auth/credentials.js';
import { codedError, requestFailure } from '../requests/requestError.js';
import type { TransportEvent, TransportRequest } from '../requests/transport.js';
import { isWatch } from '../requests/watchLimit.js';
import { proofOf } from './agentPool.js';

/**
 * Ends watches when their client certificate or their server is replaced: requests come to their end, watches do not.
 *
 * @see client-go's `transport/cert_rotation.go`
 */
export class Replacements {
  private readonly replaced$ = new Subject<void>();
  private readonly looking: NodeJS.Timeout;
  private proof: string | undefined;

  /** @param lookEveryMs - how often credentials are looked at while watches are open: a watch can go on without another request. */
  constructor(credentials: CredentialSource, lookEveryMs: number) {
    const look = (): void => {
      if (!this.replaced$.observed) return;
      credentials.get().then(
        (held) => this.use(held),
        () => undefined,
      );
    };
    this.looking = setInterval(look, lookEveryMs).unref();
  }

  /** Notes the credentials of a request before it is sent. */
  use(held: Credentials): void {
    const before = this.proof;
    this.proof = proofOf(held);
    if (before !== undefined && before !== this.proof) this.replaced$.next();
  }

  /** Fails a watch when it is replaced. */
  end(request: TransportRequest): MonoTypeOperatorFunction<TransportEvent> {
    if (!isWatch(request)) return identity;
    return takeUntil(
      this.replaced$.pipe(
        map(() => {
          throw requestFailure(codedError('ECONNRESET', 'the client certificate or the server was replaced'), request);
        }),
      ),
    );
  }

  close(): void {
    clearInterval(this.looking);
  }
}
