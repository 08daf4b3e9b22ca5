import { rememberSecret } from '../../api/errors/sentSecrets.js';
import type { Credentials } from './credentials.js';

/** Headers that say who asks, and not how that is proved. */
const open = /^(impersonate-.*|user-agent|accept.*)$/;

/** What stands for the bytes of a key in a text: its lines without those around them, or base64. */
function keyText(key: unknown): string {
  if (key instanceof Uint8Array) {
    const text = new TextDecoder().decode(key);
    return text.includes('-----BEGIN ') ? keyText(text) : btoa(Array.from(key, (byte) => String.fromCharCode(byte)).join(''));
  }
  return typeof key === 'string' ? key.replace(/-----[^-]+-----/g, '').replace(/\s/g, '') : '';
}

/** What a header proves its sender by: all of it, and the password that lies in one of user and password. */
function secretsOf(header: string): readonly string[] {
  const [, scheme = '', value = header] = /^([A-Za-z-]+) +(.*)$/.exec(header) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [value];
  try {
    const pair = new TextDecoder().decode(Uint8Array.from(atob(value), (character) => character.charCodeAt(0)));
    return [value, pair.slice(pair.indexOf(':') + 1)];
  } catch {
    return [value];
  }
}

function passwordOf(url: string): string {
  try {
    return decodeURIComponent(new URL(url).password);
  } catch {
    return '';
  }
}

/** Has every text that this process shows hide what is sent with a request. */
export function rememberSecrets({ headers, tls, proxy }: Credentials): void {
  const proofs = Object.entries(headers).filter(([name]) => !open.test(name));
  const secrets = [
    ...proofs.flatMap(([, values]) => [values].flat().flatMap(secretsOf)),
    ...[tls.key, tls.pfx].flat().map(keyText),
    tls.passphrase ?? '',
    passwordOf(proxy?.url ?? ''),
  ];
  secrets.forEach(rememberSecret);
}
