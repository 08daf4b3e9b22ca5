import { request, type IncomingHttpHeaders } from 'node:http';

/** An answer of the inspector. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request to an inspector, or to another server on a port of this machine. */
export function ask(port: number, path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answered> {
  return new Promise((resolve, reject) => {
    // The server may close an idle connection at the moment it is reused.
    request({ host: '127.0.0.1', port, path, headers, method, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    })
      .on('error', reject)
      .end();
  });
}

/** The header with the token of an inspector. */
export function tokenOf({ url }: { readonly url: string }): { readonly authorization: string } {
  return { authorization: `Bearer ${url.split('#token=')[1] ?? ''}` };
}

/** The answer to a page with this view. */
export async function lookAt(inspector: { readonly url: string; readonly port: number }, look: object): Promise<Record<string, never>> {
  const { text } = await ask(inspector.port, `/look?q=${encodeURIComponent(JSON.stringify(look))}`, tokenOf(inspector));
  return JSON.parse(text) as Record<string, never>;
}
