import http from 'node:http';

/**
 * Sends a command to the server of pods, and waits until it is done. Does not use `fetch`, which the measured side may not have loaded yet.
 */
export function post(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST' }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url}: ${String(response.statusCode)}`));
      });
    });
    request.on('error', reject).end();
  });
}
