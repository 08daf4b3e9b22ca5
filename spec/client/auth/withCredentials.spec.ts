import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, of } from 'rxjs';
import type { Credentials } from '../../../src/client/auth/credentials.js';
import { withCredentials } from '../../../src/client/auth/withCredentials.js';
import type { TransportEvent, TransportRequest } from '../../../src/client/requests/transport.js';

const request = { method: 'GET', path: '/api', headers: {} } as unknown as TransportRequest;

/** A server that accepts one token, and a source of credentials that counts how often it is renewed. */
function setUp() {
  const seen = { now: 0, renewals: 0, accepted: 'none', sent: 0 };
  const send = (_: TransportRequest, credentials: Credentials) => {
    seen.sent += 1;
    const status = credentials.headers['authorization'] === seen.accepted ? 200 : 401;
    return of({ type: 'head', status, headers: {} } as unknown as TransportEvent);
  };
  const source = {
    get: () => Promise.resolve({ headers: { authorization: String(seen.renewals) }, tls: {} }),
    renew: () => {
      seen.renewals += 1;
    },
  };
  const ask = withCredentials(source, send, () => seen.now);
  return { seen, status: async () => ((await lastValueFrom(ask(request), { defaultValue: undefined })) as unknown as { readonly status: number }).status };
}

describe('withCredentials', () => {
  it('renews refused credentials, once for all who were refused at the same time', async () => {
    const { seen, status } = setUp();
    seen.accepted = '1';
    expect(await Promise.all(Array.from({ length: 100 }, status))).toEqual(Array.from({ length: 100 }, () => 200));
    expect(seen.renewals).toBe(1);
  });

  it('does not ask again within ten seconds for what was refused', async () => {
    const { seen, status } = setUp();
    for (let second = 0; second < 60; second += 1) {
      seen.now = second * 1_000;
      expect(await Promise.all(Array.from({ length: 100 }, status))).toEqual(Array.from({ length: 100 }, () => 401));
    }
    expect(seen.renewals).toBe(6);
    seen.now = 60_000;
    seen.accepted = '7';
    expect(await status()).toBe(200);
  });
});
