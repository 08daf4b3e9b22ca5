import { rememberSecret } from '../../api/errors/sentSecrets.js';
import type { Credentials } from './credentials.js';

/** Of a page, it is a token or a password in one header. */
export function rememberSecrets({ headers: { authorization = '' } }: Credentials): void {
  for (const header of [authorization].flat()) rememberSecret(header.replace(/^\S+ +/, ''));
}
