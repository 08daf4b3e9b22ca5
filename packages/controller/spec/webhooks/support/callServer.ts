import { Agent, request, type RequestOptions } from 'node:https';
import { TLSSocket } from 'node:tls';

/** An answer over HTTPS. */
export interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The end of the validity of the certificate that the server has shown. */
  readonly validTo: string;
  readonly protocol: string | null;
}

/** Calls a server of webhooks as an API server does, trusting `ca`. */
export function callServer(port: number, ca: string, path: string, body: string | object, options: RequestOptions = {}): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json', ...(options.headers as Readonly<Record<string, string>> | undefined) };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', ca, agent: false, ...options, headers }, (answer) => {
      if (!(answer.socket instanceof TLSSocket)) throw new TypeError('Expected TLS');
      const { valid_to: validTo } = answer.socket.getPeerCertificate();
      const protocol = answer.socket.getProtocol();
      let received = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => (received += part));
      answer.once('end', () =>
        resolve({
          code: answer.statusCode ?? 0,
          headers: answer.headers,
          body: JSON.parse(received) as Answer['body'],
          text: received,
          validTo,
          protocol,
        }),
      );
    });
    sent.once('error', reject);
    sent.end(text);
  });
}

/** Connections that are kept open, as those of an API server. */
export const keptOpen = (): Agent => new Agent({ keepAlive: true });

/** A review of the creation of an object. */
export function creation(object: object, more: object = {}): object {
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: 'u1', operation: 'CREATE', object, ...more } };
}
