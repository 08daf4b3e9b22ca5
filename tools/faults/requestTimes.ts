import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** A request that this process has sent, and when, in milliseconds of `performance.now()`. */
export interface SentRequest {
  readonly at: number;
  /** Whether it asks for everything: a list, or a watch that begins with one. */
  readonly lists: boolean;
}

const sent = new Map<string, SentRequest[]>();

subscribe('http.client.request.start', (message) => {
  const { request } = message as { readonly request: ClientRequest };
  const agent = String(request.getHeader('user-agent'));
  const lists = !/[?&]watch=(1|true)/.test(request.path) || request.path.includes('sendInitialEvents=true');
  const before = sent.get(agent) ?? [];
  before.push({ at: performance.now(), lists });
  sent.set(agent, before);
});

/** What the client with this User-Agent has sent since then, whether or not it has reached a server. */
export function requestsSince(userAgent: string, from: number): readonly SentRequest[] {
  return (sent.get(userAgent) ?? []).filter(({ at }) => at >= from);
}
