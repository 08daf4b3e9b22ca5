import { type OptionRules, rules } from '../api/options.js';
import type { ClientOptions } from './clientOptions.js';

/** Whether a value is a string that is not blank. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
/** Whether a value is a string that is allowed in a header. */
export const isHeader = (value: unknown): boolean => isText(value) && /^[\x20-\x7e]+$/.test(value);

function isServerUrl(value: unknown): boolean {
  if (!isText(value) || !URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

/** The options of a client that sends its requests with `fetch`. */
export const fetchRules: OptionRules<
  Pick<ClientOptions, 'server' | 'token' | 'userAgent' | 'requestTimeoutMs' | 'compression' | 'qps' | 'burst' | 'fetch'>
> = {
  server: {
    expected: 'an http or https URL without user, query and fragment, such as "https://10.0.0.1:6443"',
    holds: isServerUrl,
    secret: true,
  },
  token: {
    expected: 'a token or a function that gives one',
    holds: (value) => isText(value) || typeof value === 'function',
    secret: true,
  },
  userAgent: { expected: 'a text that can stand in a header', holds: isHeader },
  requestTimeoutMs: rules.durationOf({ min: 0 }),
  compression: rules.boolean,
  qps: rules.number({ above: 0 }),
  burst: rules.number({ integer: true, min: 1 }),
  fetch: rules.function,
};
