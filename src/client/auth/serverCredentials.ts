import { bearer, impersonationHeaders } from './authHeaders.js';
import type { ClientOptions } from '../clientOptions.js';
import type { CredentialSource, TlsIdentity } from './credentials.js';

type ServerOptions = Pick<ClientOptions, 'token' | 'ca' | 'clientCert' | 'clientKey' | 'insecureSkipTlsVerify'>;

/** The credentials that a caller gave by hand. */
export function serverCredentials({ token, ca, clientCert, clientKey, insecureSkipTlsVerify }: ServerOptions): CredentialSource {
  const tls: TlsIdentity = { ca, cert: clientCert, key: clientKey, ...(insecureSkipTlsVerify === true && { rejectUnauthorized: false }) };
  const source: CredentialSource = {
    async get() {
      if (token === undefined) return { headers: {}, tls };
      const current = typeof token === 'function' ? await token() : token;
      return { headers: { authorization: bearer(current, '`token`') }, tls };
    },
  };
  // A function is asked before every request anyway; what is left to renew is that the request is repeated.
  return typeof token === 'function' ? { ...source, renew: () => undefined } : source;
}

/** Credentials that act as somebody else, whoever they act as themselves. */
export function impersonating(source: CredentialSource, impersonate: ClientOptions['impersonate']): CredentialSource {
  if (impersonate === undefined) return source;
  const others = impersonationHeaders(impersonate);
  return {
    ...source,
    async get() {
      const credentials = await source.get();
      const own = Object.entries(credentials.headers).filter(([name]) => !name.startsWith('impersonate-'));
      return { ...credentials, headers: { ...Object.fromEntries(own), ...others } };
    },
  };
}
