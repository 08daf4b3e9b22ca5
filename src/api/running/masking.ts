import type { Running } from './registry.js';

/** In the place of a value that is not shown. */
const masked = '(masked)';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

interface MaybeSecret {
  readonly kind?: string;
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly data?: object;
  readonly stringData?: object;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const emptied = (values: object): object => Object.fromEntries(Object.keys(values).map((name) => [name, masked]));

/** @param isSecret - undefined when that is not known: then what does not say what it is, and has data, is taken for one. */
function maskObject(object: MaybeSecret, isSecret: boolean | undefined): object {
  const { kind, metadata, data, stringData } = object;
  const annotations = metadata?.annotations;
  const hides = isSecret ?? (kind === 'Secret' || (kind === undefined && metadata !== undefined));
  return {
    ...object,
    // Kubectl's copy of an object is as good as the object.
    ...(annotations?.[lastApplied] !== undefined && { metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: masked } } }),
    ...(hides && isObject(data) && { data: emptied(data) }),
    ...(hides && isObject(stringData) && { stringData: emptied(stringData) }),
  };
}

function maskAll(value: unknown, isSecret: boolean | undefined): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => maskAll(each, undefined));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(maskObject(value, isSecret)).map(([name, each]) => [name, maskAll(each, undefined)]));
}

function readsSecrets(running: Running, seen: Set<Running>): boolean {
  if (seen.has(running)) return false;
  seen.add(running);
  const facts = running.facts();
  if (facts.kind === 'informer') return facts.resource === 'secrets';
  return (running.inputs?.() ?? []).some((input) => readsSecrets(input, seen));
}

/** How objects of a collection are shown. */
export interface Masking {
  /** Whether nothing but kubectl's copies has to be masked: parts of objects can then be shown by themselves. */
  readonly isOpen: boolean;
  /** The object without what is secret. */
  readonly shown: (object: unknown) => unknown;
}

/** A part of an object that has no Secrets, found at this path: without kubectl's copies of objects. */
export function maskPart(path: readonly string[], value: unknown): unknown {
  if (path.at(-1) === lastApplied && value !== undefined) return masked;
  if (Array.isArray(value)) return value.map((each: unknown) => maskPart([], each));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, maskPart([name], each)]));
}

/**
 * What shows the objects of a collection without the values of Secrets, and without kubectl's copies of objects. The values of a view over Secrets are left out whole: what it has
 * made of them, nobody knows.
 */
export function maskingOf(running: Running): Masking {
  const facts = running.facts();
  if (facts.kind === 'view') {
    const hides = readsSecrets(running, new Set());
    return {
      isOpen: false,
      shown: (value) => (hides && value !== undefined ? '(masked: it is made of Secrets)' : maskAll(value, undefined)),
    };
  }
  const isKnown = facts.kind === 'informer' && facts.resource !== 'objects';
  const isSecret = isKnown ? facts.resource === 'secrets' : undefined;
  return { isOpen: isSecret === false, shown: (value) => maskAll(value, isSecret) };
}

/** Shows everything. */
export const unmasked: Masking = { isOpen: false, shown: (object) => object };
