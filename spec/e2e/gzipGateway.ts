import { once } from 'node:events';
import { createServer, request as open } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A gateway that asks for gzip, although its client does not, and passes answers on as they come. It keeps no process running. */
export async function gzipGateway(to: string): Promise<string> {
  const server = createServer((asked, response) => {
    const { method, headers } = asked;
    const onward = open(
      `${to}${asked.url ?? ''}`,
      { method, headers: { ...headers, 'accept-encoding': 'gzip', via: '1.1 gateway' } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
        answer.on('error', () => response.destroy());
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  server.unref().on('connection', (socket) => socket.unref());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
