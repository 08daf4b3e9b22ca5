import { rememberSecret } from '../../api/errors/sentSecrets.js';
import type { Credentials } from './credentials.js';

/** Headers that hold no secret: they name the sender but prove nothing. */
const open = /^(impersonate-.*|user-agent|accept.*)$/;

/** The part of a key that could show up in an error text: the PEM lines without BEGIN and END, or the bytes in base64. */
function keyText(key: unknown): string {
  if (key instanceof Uint8Array) {
    const text = new TextDecoder().decode(key);
    return text.includes('-----BEGIN ') ? keyText(text) : btoa(Array.from(key, (byte) => String.fromCharCode(byte)).join(''));
  }
  return typeof key === 'string' ? key.replace(/-----[^-]+-----/g, '').replace(/\s/g, '') : '';
}

/** The secrets in a header value: the whole value and, for Basic, the decoded password. */
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

/** Registers the secrets of these credentials, so that every text this process prints hides them. */
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
