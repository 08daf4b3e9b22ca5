import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** The object that a token is bound to: the token becomes invalid when the object is deleted. */
export interface BoundObject {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** The user of a token. */
export interface TokenSubject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  /** In seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly id: string;
  readonly bound: BoundObject | undefined;
}

const keyId = 'rx-informer';

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function boundClaim(bound: BoundObject | undefined): object {
  return bound === undefined ? {} : { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } };
}

/** Signs the tokens of service accounts. The key is made at the first use. */
export class TokenIssuer {
  readonly issuer: string = 'https://kubernetes.default.svc';
  private keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | undefined;

  /** A token as a JSON Web Token. */
  issue({ namespace, name, uid, audiences, issuedAt, expiresAt, id, bound }: TokenSubject): string {
    const claims = {
      aud: audiences,
      exp: expiresAt,
      iat: issuedAt,
      iss: this.issuer,
      jti: id,
      'kubernetes.io': { namespace, serviceaccount: { name, uid }, ...boundClaim(bound) },
      nbf: issuedAt,
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    const text = `${encoded({ alg: 'ES256', kid: keyId, typ: 'JWT' })}.${encoded(claims)}`;
    const signature = sign('sha256', Buffer.from(text), { key: this.pair().privateKey, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }

  /** The answer of `/.well-known/openid-configuration`. */
  configuration(url: string): object {
    return {
      issuer: this.issuer,
      jwks_uri: `${url}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    };
  }

  /** The answer of `/openid/v1/jwks`. */
  keySet(): object {
    return { keys: [{ use: 'sig', kid: keyId, alg: 'ES256', ...this.pair().publicKey.export({ format: 'jwk' }) }] };
  }

  private pair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
    this.keys ??= generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return this.keys;
  }
}
