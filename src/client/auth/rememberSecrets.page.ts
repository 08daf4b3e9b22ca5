import { rememberSecret } from '../../api/errors/sentSecrets.js';
import type { Credentials } from './credentials.js';

/** In a page the only secret is the token or password of the `authorization` header. */
export function rememberSecrets({ headers: { authorization = '' } }: Credentials): void {
  for (const header of [authorization].flat()) rememberSecret(header.replace(/^\S+ +/, ''));
}
