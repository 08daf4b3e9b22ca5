import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/** Free ports of the loopback interface. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers: Server[] = Array.from({ length: count }, () => createServer());
  try {
    await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
    return servers.map((server) => (server.address() as AddressInfo).port);
  } finally {
    await Promise.all(servers.map((server) => once(server.close(), 'close')));
  }
}
