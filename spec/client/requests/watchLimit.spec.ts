import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { NEVER, type Observable, of, Subject, type Subscription } from 'rxjs';
import type { TransportEvent, TransportRequest } from '../../../src/client/requests/transport.js';
import { watchLimit } from '../../../src/client/requests/watchLimit.js';

const watch: TransportRequest = { method: 'GET', path: '/api/v1/pods?watch=true&resourceVersion=1' };
const list: TransportRequest = { method: 'GET', path: '/api/v1/pods?limit=500' };

interface Page {
  readonly warnings: string[];
  readonly open: (request?: TransportRequest, events?: Observable<TransportEvent>) => Subscription;
}

/** A Request of a browser, which drops the header. */
class BrowserRequest {
  readonly headers = new Headers();
}

const { Request: ownRequest } = globalThis;

afterEach(() => {
  Object.assign(globalThis, { Request: ownRequest });
  jest.restoreAllMocks();
});

function page({ server = 'http://api', isBrowser = true } = {}): Page {
  const warnings: string[] = [];
  const counted = watchLimit(server);
  const open: Page['open'] = (request = watch, events = NEVER) => {
    Object.assign(globalThis, { Request: isBrowser ? BrowserRequest : ownRequest });
    jest.spyOn(console, 'warn').mockImplementation((message) => void warnings.push(message as string));
    return events.pipe(counted(request)).subscribe();
  };
  return { warnings, open };
}

const openSix = ({ open }: Page): Subscription[] => Array.from({ length: 6 }, () => open());

describe('watchLimit', () => {
  it('warns once, with the sixth watch: the next one, and every write, would wait', () => {
    const it = page();
    const { open, warnings } = it;
    for (let at = 0; at < 5; at += 1) open();
    expect(warnings).toEqual([]);
    open();
    open();
    expect(warnings).toEqual([
      expect.stringMatching(/^rx-informer: 6 watches of http:\/\/api are open over HTTP\/1\.1.*Serve the API over HTTP\/2/),
    ]);
  });

  it('counts those that are open, however they ended', () => {
    const { open, warnings } = page();
    for (let at = 0; at < 20; at += 1) open().unsubscribe();
    for (let at = 0; at < 20; at += 1) open(watch, of());
    const broken = new Subject<TransportEvent>();
    for (let at = 0; at < 20; at += 1) broken.pipe(watchLimit('http://api')(watch)).subscribe({ error: () => undefined });
    broken.error(new Error('cut'));
    for (let at = 0; at < 5; at += 1) open();
    for (let at = 0; at < 20; at += 1) open(list);
    expect(warnings).toEqual([]);
    open();
    expect(warnings).toHaveLength(1);
  });

  it('says nothing where there is no such limit: outside of browsers, and over HTTP/2', () => {
    const elsewhere = page({ isBrowser: false });
    const here = page({ server: 'https://api' });
    for (const one of [elsewhere, here]) openSix(one);
    expect([elsewhere, here].map(({ warnings }) => warnings)).toEqual([[], []]);
  });
});
