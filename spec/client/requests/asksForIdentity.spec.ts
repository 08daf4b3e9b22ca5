import { afterEach, describe, expect, it } from '@jest/globals';
import { asksForIdentity } from '../../../src/client/requests/watchLimit.js';

const { Request: ours } = globalThis;

/** Removes the headers that scripts in a browser must not set. */
class BrowserRequest extends ours {
  constructor(url: string, init: RequestInit) {
    const headers = new Headers(init.headers);
    headers.delete('accept-encoding');
    super(url, { ...init, headers });
  }
}

describe('asksForIdentity', () => {
  afterEach(() => {
    globalThis.Request = ours;
  });

  it('finds out whether requests keep the header', () => {
    expect(asksForIdentity()).toBe(true);
    globalThis.Request = BrowserRequest;
    expect(asksForIdentity()).toBe(false);
  });

  it('takes an environment without such requests for one that keeps it', () => {
    Reflect.deleteProperty(globalThis, 'Request');
    expect(asksForIdentity()).toBe(true);
  });
});
