import { identityOf } from '../agentPool.js';
import type { Credentials } from '../../auth/credentials.js';
import { Http2Session, type Http2SessionInit } from './http2Session.js';

/**
 * Keeps the HTTP/2 connections of one server: one for all requests, and another only when the server accepts no more streams on the first.
 *
 * A connection opened with other certificates takes no further requests.
 */
export class Http2Pool {
  private readonly init: Omit<Http2SessionInit, 'credentials'>;
  private identity: string | undefined;
  private sessions: Http2Session[] = [];
  private opening: Promise<Http2Session | undefined> | undefined;
  /** The identity of the credentials with which the server offered HTTP/1.1 only. */
  private refusedTo: string | undefined;

  constructor(init: Omit<Http2SessionInit, 'credentials'>) {
    this.init = init;
  }

  /** A session for a request; undefined where HTTP/2 is impossible: without TLS, through a proxy, and with a server that does not offer it. */
  async sessionFor(credentials: Credentials): Promise<Http2Session | undefined> {
    if (!this.init.server.startsWith('https:') || credentials.proxy !== undefined) return undefined;
    const identity = identityOf(credentials);
    if (this.refusedTo === identity) return undefined;
    if (this.identity !== identity) this.renew(identity);
    for (;;) {
      this.sessions = this.sessions.filter(({ isOpen }) => isOpen);
      const found = this.sessions.find(({ hasRoom }) => hasRoom);
      if (found !== undefined) return found;
      this.opening ??= this.open(identity, credentials);
      const opened = await this.opening;
      if (opened === undefined || this.identity !== identity) return opened;
      // Other requests waited for the same session and may have filled it.
      if (opened.isOpen && opened.hasRoom) return opened;
    }
  }

  close(): void {
    for (const session of this.sessions) session.destroy();
    this.renew(undefined);
  }

  private renew(identity: string | undefined): void {
    for (const session of this.sessions) session.retire();
    this.sessions = [];
    this.opening = undefined;
    this.identity = identity;
  }

  private async open(identity: string, credentials: Credentials): Promise<Http2Session | undefined> {
    const opening = Http2Session.open({ ...this.init, credentials });
    try {
      const session = await opening;
      if (this.identity !== identity) {
        // It is closed or has other certificates: only the requests that waited for it use it.
        return session;
      }
      if (session === undefined) this.refusedTo = identity;
      else this.sessions.push(session);
      return session;
    } finally {
      if (this.identity === identity) this.opening = undefined;
    }
  }
}
