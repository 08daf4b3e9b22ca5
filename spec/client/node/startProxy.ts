import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';

/**
 * A proxy in this process that opens tunnels (CONNECT).
 */
export interface SpecProxy {
  readonly url: string;
  /** Where its tunnels led. */
  readonly tunnels: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a proxy on a free port of this machine.
 */
export async function startProxy(): Promise<SpecProxy> {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const proxy = http.createServer().on('connect', (request, socket: Socket) => {
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
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}
