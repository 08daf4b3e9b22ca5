import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';

/**
 * A proxy in this process that opens tunnels (CONNECT), and forwards requests of whole URLs.
 */
export interface SpecProxy {
  readonly url: string;
  /** Where its tunnels led. */
  readonly tunnels: readonly string[];
  /** The URLs that it forwarded, and the proxy's user that each request named. */
  readonly forwarded: readonly { readonly url: string; readonly user: string | undefined }[];
  close(): Promise<void>;
}

/**
 * Starts a proxy on a free port of this machine.
 */
export async function startProxy(): Promise<SpecProxy> {
  const tunnels: string[] = [];
  const forwarded: { url: string; user: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const forward: http.RequestListener = (request, response) => {
    const { 'proxy-authorization': user, ...headers } = request.headers;
    forwarded.push({ url: request.url ?? '', user });
    const onward = http.request(request.url ?? '', { method: request.method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward.on('error', () => response.destroy()));
  };
  const proxy = http.createServer(forward).on('connect', (request, socket: Socket) => {
    tunnels.push(request.url ?? '');
    const [host, port] = (request.url ?? '').split(':');
    const upstream = net.connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const each of [upstream, socket]) sockets.add(each.on('error', () => each.destroy()).on('close', () => socket.destroy()));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    tunnels,
    forwarded,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}
