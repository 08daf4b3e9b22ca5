import type { Fault, TestApiServer } from '@rx-informer/api-server';

/** A fault in another process. */
export interface RemoteFault {
  /** How often it has struck so far. */
  struck(): Promise<number>;
  remove(): Promise<unknown>;
}

type Plain<One> = One extends unknown
  ? Omit<One, 'path' | 'userAgent' | 'when' | 'snapshot'> & { readonly userAgent?: string; readonly userAgentPattern?: string }
  : never;

/** A fault as the control endpoint takes it. */
export type RemoteFaultInit = Plain<Fault>;

/** The control endpoint of an API server in another process. */
export interface ServerControl {
  inject(fault: RemoteFaultInit): Promise<RemoteFault>;
  /** Takes all faults out. */
  clear(): Promise<unknown>;
  /** One of the other actions, for example `expire` or `snapshot`. */
  act(action: string, body?: object): Promise<Readonly<Record<string, string>>>;
  requests(): Promise<TestApiServer['activity']['requests']>;
}

/** Reaches the control endpoint of a server that was started with `--control`. */
export function serverControl(url: string, token = ''): ServerControl {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}/-/${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} /-/${path}: ${String(answer.status)} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  return {
    inject: async (fault) => {
      const { id } = await ask<{ readonly id: string }>('POST', 'faults', fault);
      return {
        struck: async () => {
          const { items } = await ask<{ readonly items: readonly { readonly id: string; readonly struck: number }[] }>('GET', 'faults');
          return items.find((item) => item.id === id)?.struck ?? 0;
        },
        remove: () => ask('DELETE', `faults/${id}`),
      };
    },
    clear: () => ask('DELETE', 'faults'),
    act: (action, body = {}) => ask('POST', action, body),
    requests: async () => (await ask<{ readonly items: TestApiServer['activity']['requests'] }>('GET', 'requests')).items,
  };
}
