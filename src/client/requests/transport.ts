import type { Observable } from 'rxjs';

/** One HTTP request to the API server. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, escaped, relative to the server's URL. */
  readonly path: string;
  /** Lower-case names. Credentials are added by the transport. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Bounds the whole exchange; absent for lists and watches, whose silence is bounded elsewhere. */
  readonly timeoutMs?: number;
  /** Called right before the request is sent, each time; what it throws is the error of the exchange, and nothing is sent. */
  readonly beforeSend?: (() => void) | undefined;
}

/** What happens to a request, in order: one `head`, any number of `data`, then the observable completes. */
export type TransportEvent =
  | { readonly type: 'head'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly type: 'data'; readonly chunk: Uint8Array };

/** Sends requests with the credentials and connections of one cluster. */
export interface Transport {
  /**
   * A cold observable of one exchange: subscribing sends the request, unsubscribing aborts it, also before the headers have come.
   *
   * Every status is an answer; the observable fails only when the connection or the credentials do.
   */
  request(request: TransportRequest): Observable<TransportEvent>;
  /** The server's URL, without credentials. */
  readonly server: string;
  /** Closes the pooled connections. */
  close(): void;
}

/** A cluster that can be talked to. */
export interface Connection {
  readonly transport: Transport;
  /** The namespace to use where none is named. */
  readonly defaultNamespace: string;
}
