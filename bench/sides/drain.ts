import http from 'node:http';
import { Meter } from '../meter.js';

/**
 * Takes a body and throws it away: how fast the server is.
 */
export function run({ url }: { readonly url: string }): Promise<object> {
  const meter = new Meter();
  return new Promise((resolve, reject) => {
    http
      .get(`${url}/api/v1/pods`, (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => (bytes += chunk.length));
        response.on('end', () => {
          const times = meter.times();
          resolve({ ...times, megabytesPerSecond: bytes / 1e3 / times.wallMs, bytes });
        });
      })
      .on('error', reject);
  });
}
