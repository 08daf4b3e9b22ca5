import type { KubeClient } from 'rx-informer';
import type { ServerCredentials } from './kubeconfigOf.js';
import type { KeyedCertificate } from './auth/certificateAuthority.js';
import type { User } from './auth/user.js';

/** The common members of the servers of `startApiServer` and `startRealApiServer`. */
export interface RunningApiServer {
  /** For example `http://127.0.0.1:37017`. */
  readonly url: string;
  readonly port: number;
  /** A client of this server. It is made at the first access, and closed with the server. */
  readonly client: KubeClient;
  /** A kubeconfig for this server, as YAML. */
  readonly kubeconfig: string;
  /** The path of a kubeconfig file, for kubectl; deleted by `close()`. */
  readonly kubeconfigPath: string;
  /** The credentials in the kubeconfig: a certificate of an administrator, a token, or nothing if the server needs none. */
  readonly credentials: ServerCredentials;
  /**
   * Issues a client certificate for a user, valid for a year or until a time in milliseconds since 1970. An embedded server needs the
   * option `tls`.
   */
  issueCertificate(user: User, validUntil?: number): KeyedCertificate;
  /** Ends all watches and connections, and the server. */
  close(): Promise<void>;
}
