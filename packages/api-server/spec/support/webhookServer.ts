import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CertificateAuthority } from '../../src/auth/certificateAuthority.js';

/** A review as a webhook gets it. */
export interface Review {
  readonly path: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly request: Readonly<Record<string, unknown>> & { readonly uid: string };
}

/** The answer of a webhook: the `response` of the review, a complete body as text, or nothing. */
export type WebhookReply = object | { readonly code: number; readonly text: string } | 'nothing';

/** A server of webhooks for specs: it answers reviews as `reply` says, and keeps them. */
export interface WebhookServer {
  readonly url: string;
  readonly port: number;
  /** The certificate of its authority, in base64. */
  readonly caBundle: string;
  /** Its own certificate, in base64. */
  readonly ownBundle: string;
  readonly reviews: Review[];
  reply: (review: Review) => WebhookReply;
  close(): Promise<void>;
}

/** Starts a server of webhooks. */
export async function serveWebhooks(): Promise<WebhookServer> {
  const authority = new CertificateAuthority(Date.now());
  const own = authority.issueServer('127.0.0.1', 'hooks.default.svc');
  const listener = createServer({ ...own }, (incoming, response) => {
    let text = '';
    incoming.setEncoding('utf8');
    incoming.on('data', (part: string) => (text += part));
    incoming.on('end', () => {
      const review = { path: incoming.url ?? '', ...(JSON.parse(text) as object) } as Review;
      webhooks.reviews.push(review);
      const reply = webhooks.reply(review);
      if (reply === 'nothing') return;
      const raw = 'text' in reply ? reply : undefined;
      response.writeHead(raw?.code ?? 200, { 'content-type': 'application/json' });
      const { kind, apiVersion, request } = review;
      response.end(raw?.text ?? JSON.stringify({ kind, apiVersion, response: { uid: request.uid, ...reply } }));
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', () => resolve()));
  const { port } = listener.address() as AddressInfo;
  const webhooks: WebhookServer = {
    url: `https://127.0.0.1:${String(port)}`,
    port,
    caBundle: Buffer.from(authority.cert).toString('base64'),
    ownBundle: Buffer.from(own.cert).toString('base64'),
    reviews: [],
    reply: () => ({ allowed: true }),
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
  };
  return webhooks;
}
