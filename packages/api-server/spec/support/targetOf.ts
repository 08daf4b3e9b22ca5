import type { RunningApiServer } from '../../src/runningApiServer.js';
import { Target } from './target.js';

/** A server that is running already, as a target; it stays when the target is closed. */
export function targetOf({ url, credentials: { ca, clientCert: cert, clientKey: key } }: RunningApiServer): Target {
  return new Target({
    url,
    secure: (options) => {
      Object.assign(options, { ca, cert, key });
      return Promise.resolve();
    },
  });
}
