import http from 'node:http';

/**
 * Has the server of pods do something, and waits until it is done. Not with `fetch`, which a side that is measured may not have loaded yet.
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
