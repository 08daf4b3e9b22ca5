import { lastApplied, type Running, withoutData } from 'rx-informer/internal';
import { factsOf } from './facts.js';

/** Replaces a value that is not shown. */
const masked = '(masked)';

interface MaybeSecret {
  readonly kind?: string;
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** @param isSecret - undefined if unknown: then an object with data, but without a kind, is treated as a Secret. */
function maskObject(object: MaybeSecret, isSecret: boolean | undefined): object {
  const hides = isSecret ?? (object.kind === 'Secret' || (object.kind === undefined && object.metadata !== undefined));
  return withoutData(object, hides ? masked : undefined, masked);
}

/** The fields of a Secret. Any other comes from a transform, and may have any of the Secret's values. */
const fieldsOfSecrets: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'type', 'immutable', 'data', 'stringData']);

function maskAll(value: unknown, isSecret: boolean | undefined): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => maskAll(each, undefined));
  if (!isObject(value)) return value;
  const shown = ([name, each]: readonly [string, unknown]): readonly [string, unknown] => [
    name,
    isSecret === true && !fieldsOfSecrets.has(name) ? masked : maskAll(each, undefined),
  ];
  return Object.fromEntries(Object.entries(maskObject(value, isSecret)).map(shown));
}

function readsSecrets(running: Running, seen: Set<Running>): boolean {
  if (seen.has(running)) return false;
  seen.add(running);
  const facts = factsOf(running);
  if (facts.kind === 'informer') return facts.resource === 'secrets';
  return (running.inputs?.() ?? []).some((input) => readsSecrets(input, seen));
}

const never = (): boolean => false;

/** Whether a Secret is anywhere in a value, as a transform may have put it there. */
function holdsSecret(value: unknown): boolean {
  return isObject(value) && ((value as MaybeSecret).kind === 'Secret' || Object.values(value).some(holdsSecret));
}

/** How objects of a collection are masked. */
export interface Masking {
  /** Whether only kubectl's last-applied annotations of an object are masked: then its parts can be masked separately. */
  readonly isOpen: (object: unknown) => boolean;
  /** The object with masked values. */
  readonly shown: (object: unknown) => unknown;
}

/** A part at this path of an object that is not a Secret: masks kubectl's last-applied annotation. */
export function maskPart(path: readonly string[], value: unknown): unknown {
  if (path.at(-1) === lastApplied && value !== undefined) return masked;
  if (Array.isArray(value)) return value.map((each: unknown) => maskPart([], each));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, maskPart([name], each)]));
}

/**
 * The masking of a collection's objects: values of Secrets, and copies of objects in annotations. Values of a view over Secrets are masked completely, since
 * any part of them may be secret.
 */
export function maskingOf(running: Running): Masking {
  const facts = factsOf(running);
  if (facts.kind === 'view') {
    const hides = readsSecrets(running, new Set());
    return {
      isOpen: never,
      shown: (value) => (hides && value !== undefined ? '(masked: it is made of Secrets)' : maskAll(value, undefined)),
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
