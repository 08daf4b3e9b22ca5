import { Subject, type Observable } from 'rxjs';
import { objectOf } from './answer.js';
import type { ClientWrite, DeleteOptions, WriteOptions } from '../kubeClient.js';
import type { Requester } from './requester.js';
import { requestName } from './requestName.js';
import type { TransportRequest } from './transport.js';

/** Sends writes, and tells of those that the server has carried out. */
export class Writer {
  private readonly requester: Requester;
  private readonly written$ = new Subject<ClientWrite>();
  readonly writes$: Observable<ClientWrite> = this.written$.asObservable();

  constructor(requester: Requester) {
    this.requester = requester;
  }

  async send<T>(request: TransportRequest, options: WriteOptions | DeleteOptions): Promise<T> {
    const headers = request.body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await this.requester.ask({ ...request, headers: { ...headers, ...request.headers } }, options);
    return objectOf(answer, requestName(request)) as T;
  }

  tell(write: ClientWrite, options: WriteOptions | DeleteOptions): void {
    if (options.dryRun !== true) this.written$.next(write);
  }

  close(): void {
    this.written$.complete();
  }
}
