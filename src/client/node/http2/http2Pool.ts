import { identityOf } from '../agentPool.js';
import type { Credentials } from '../../auth/credentials.js';
import { Http2Session, type Http2SessionInit } from './http2Session.js';

/**
 * Keeps the HTTP/2 connections of one server: one for everything, and another one only where the server takes no more requests on the first.
 *
 * Connections that were opened with other certificates take no other request.
 */
export class Http2Pool {
  private readonly init: Omit<Http2SessionInit, 'credentials'>;
  private identity: string | undefined;
  private sessions: Http2Session[] = [];
  private opening: Promise<Http2Session | undefined> | undefined;
  /** By what identity the server was found to speak HTTP/1.1 only. */
  private refusedTo: string | undefined;

  constructor(init: Omit<Http2SessionInit, 'credentials'>) {
    this.init = init;
  }

  /** A session that takes a request; undefined where there can be none: without TLS, through a proxy, and with a server that does not offer it. */
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
      // Others have waited for it, too.
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
        // Closed, or other certificates: whoever waited for it is the only one who uses it.
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
