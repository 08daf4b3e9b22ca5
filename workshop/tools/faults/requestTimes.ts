import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** A request sent by this process, and its time in milliseconds of `performance.now()`. */
export interface SentRequest {
  readonly at: number;
  /** Whether it requests everything: a list, or a watch that begins with one. */
  readonly lists: boolean;
}

const sent = new Map<string, SentRequest[]>();

subscribe('http.client.request.start', (message) => {
  const { request } = message as { readonly request: ClientRequest };
  // A gateway in this process passes it on.
  if (request.hasHeader('via')) return;
  const agent = String(request.getHeader('user-agent'));
  const lists = !/[?&]watch=(1|true)/.test(request.path) || request.path.includes('sendInitialEvents=true');
  const before = sent.get(agent) ?? [];
  before.push({ at: performance.now(), lists });
  sent.set(agent, before);
});

/** The requests of the client with this User-Agent since a time, whether or not they reached a server. */
export function requestsSince(userAgent: string, from: number): readonly SentRequest[] {
  return (sent.get(userAgent) ?? []).filter(({ at }) => at >= from);
}
