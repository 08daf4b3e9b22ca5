import { type Figures, lastApplied, type Running, withoutData } from 'rx-informer/internal';
import { holdsSecret, isOfSecrets, type MaybeSecret } from './secrets.js';

/** Replaces a value that is not shown. */
const masked = '(masked)';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** @param isSecret - undefined if unknown: then an object with data, but without a kind, is treated as a Secret. */
function maskObject(object: MaybeSecret, isSecret: boolean | undefined): object {
  const hides = isSecret ?? (object.kind === 'Secret' || (object.kind === undefined && object.metadata !== undefined));
  return withoutData(object, hides ? masked : undefined, masked);
}

/** Whether a field is the value of an environment variable, in which programs get passwords. */
const isOfEnvironment = (name: string | undefined, parent: string | undefined): boolean => name === 'value' && parent === 'env';

/** The fields of a Secret. Any other comes from a transform, and may have any of the Secret's values. */
const fieldsOfSecrets: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'type', 'immutable', 'data', 'stringData']);

function maskAll(value: unknown, isSecret: boolean | undefined, parent = ''): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => maskAll(each, undefined, parent));
  if (!isObject(value)) return value;
  const shown = ([name, each]: readonly [string, unknown]): readonly [string, unknown] => [
    name,
    (isSecret === true && !fieldsOfSecrets.has(name)) || isOfEnvironment(name, parent) ? masked : maskAll(each, undefined, name),
  ];
  return Object.fromEntries(Object.entries(maskObject(value, isSecret)).map(shown));
}

const never = (): boolean => false;

/** How objects of a collection are masked. */
export interface Masking {
  /** Whether only kubectl's last-applied annotations of an object, and its environment variables, are masked: then its parts can be masked separately. */
  readonly isOpen: (object: unknown) => boolean;
  /** The object with masked values. */
  readonly shown: (object: unknown) => unknown;
}

/** A part at this path of an object that is not a Secret: masks kubectl's last-applied annotation, and environment variables. */
export function maskPart(path: readonly string[], value: unknown): unknown {
  // Elements of lists have a number.
  const [parent, name] = path.filter((each) => !/^\d+$/.test(each)).slice(-2);
  if (value !== undefined && (path.at(-1) === lastApplied || isOfEnvironment(name, parent))) return masked;
  if (Array.isArray(value)) return value.map((each: unknown) => maskPart(path, each));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, maskPart([...path, field], each)]));
}

/**
 * The masking of a collection's objects: values of Secrets and environment variables, and copies of objects in annotations. Values of a view over Secrets are masked completely, since
 * any part of them may be secret.
 */
export function maskingOf(running: Running): Masking {
  const facts = running.figures() as Figures & { readonly resource?: string; readonly selection?: string };
  if (facts.kind === 'view') {
    return {
      isOpen: never,
      // It may come to read Secrets at any time.
      shown: (value) => (value !== undefined && isOfSecrets(running) ? '(masked: it is made of Secrets)' : maskAll(value, undefined)),
    };
  }
  if (facts.kind === 'informer' && facts.resource === 'secrets') return { isOpen: never, shown: (value) => maskAll(value, true) };
  // Only a client's resource says what its objects are; that of another source is a name that the user has chosen.
  const isKnown = facts.kind === 'informer' && facts.selection !== '';
  const isNoSecret = (value: unknown): boolean => isKnown && (value as MaybeSecret | null | undefined)?.kind !== 'Secret';
  return {
    isOpen: (value) => isNoSecret(value) && !holdsSecret(value),
    shown: (value) => maskAll(value, isNoSecret(value) ? false : undefined),
  };
}

/** No masking. */
export const unmasked: Masking = { isOpen: never, shown: (object) => object };
