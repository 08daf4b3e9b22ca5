import type { Observable } from 'rxjs';
import type { CredentialSource, Credentials } from '../auth/credentials.js';

/** Who lists a resource and watches it from there. */
export interface ClusterReader {
  /** The cluster that answered it last, of those that one kubeconfig has named. */
  cluster?: number;
}

/** One HTTP request to the API server. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, escaped, relative to the server's URL. */
  readonly path: string;
  /** Header names in lower case, without the credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Deadline of the whole exchange; absent for lists and watches, whose silence is limited elsewhere. */
  readonly timeoutMs?: number;
  /** The longest time in which nothing comes. */
  readonly silenceMs?: number;
  /** Called right before each sending. If it throws, nothing is sent and the exchange fails with that error. */
  readonly beforeSend?: (() => void) | undefined;
  /** Who reads, and whether it goes on from a version that it was given before. */
  readonly reading?: { readonly reader: ClusterReader; readonly goesOn: boolean } | undefined;
}

/** The events of an exchange: one `head`, any number of `data`, then the observable completes. */
export type TransportEvent =
  | { readonly type: 'head'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly type: 'data'; readonly chunk: Uint8Array };

/** Sends requests over the connections to one cluster. */
export interface Transport {
  /**
   * A cold observable of one exchange: subscribing sends the request, unsubscribing aborts it, even before the headers have arrived.
   *
   * Any status is an answer; the observable fails only when the connection does.
   */
  send(this: void, request: TransportRequest, credentials: Credentials): Observable<TransportEvent>;
  /** Where the credentials of its requests come from. */
  readonly credentials: CredentialSource;
  /** The server's URL, without credentials. */
  readonly server: string;
  /** Closes the pooled connections, and the source of credentials. */
  close(): void;
}

/** A cluster and the transport to it. */
export interface Connection {
  readonly transport: Transport;
  /** The namespace of requests that name none. */
  readonly defaultNamespace: string;
}
