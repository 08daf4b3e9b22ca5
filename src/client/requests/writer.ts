import { Subject, type Observable } from 'rxjs';
import type { ClientWrite, DeleteOptions, WriteOptions } from '../kubeClient.js';
import type { Requester } from './requester.js';
import type { TransportRequest } from './transport.js';

/** Sends writes, and tells of those that the server has carried out. */
export class Writer {
  private readonly requester: Requester;
  private readonly written$ = new Subject<ClientWrite>();
  readonly writes$: Observable<ClientWrite> = this.written$.asObservable();

  constructor(requester: Requester) {
    this.requester = requester;
  }

  /** Sends a write; `writesOf` says what its answer means, and is not asked after a dry run. */
  async send<T>(
    request: TransportRequest,
    options: WriteOptions | DeleteOptions,
    writesOf: (answer: T) => readonly ClientWrite[],
  ): Promise<T> {
    const headers = request.body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await this.requester.object<T>({ ...request, headers: { ...headers, ...request.headers } }, options);
    if (options.dryRun !== true) for (const write of writesOf(answer)) this.written$.next(write);
    return answer;
  }

  close(): void {
    this.written$.complete();
  }
}
