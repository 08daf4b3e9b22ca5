import http from 'node:http';
import { Meter } from '../meter.js';

function bodyOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get(url, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      })
      .on('error', reject);
  });
}

/**
 * Fetches a list in one body and parses it: with node:http, or with fetch.
 */
export async function run({ url, by }: { readonly url: string; readonly by: 'http' | 'fetch' }): Promise<object> {
  const meter = new Meter();
  const target = `${url}/api/v1/pods`;
  const list = JSON.parse(by === 'http' ? await bodyOf(target) : await (await fetch(target)).text()) as { readonly items: unknown[] };
  const times = meter.times();
  return { ...times, ...meter.memory(), count: list.items.length };
}
