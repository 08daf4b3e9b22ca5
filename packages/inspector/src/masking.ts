import { type Figures, lastApplied, type Running, withoutData } from 'rx-informer/internal';
import { type Difference, differencesOf } from './differences.js';
import { isOfSecrets, type MaybeSecret } from './secrets.js';

/** Replaces a value that is not shown. */
const masked = '(masked)';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** @param isSecret - undefined if unknown: then an object with data, but without a kind, is treated as a Secret. */
function maskObject(object: MaybeSecret, isSecret: boolean | undefined): object {
  const hides = isSecret ?? (object.kind === 'Secret' || (object.kind === undefined && object.metadata !== undefined));
  return hides || isObject(object.metadata?.annotations) ? withoutData(object, hides ? masked : undefined, masked) : object;
}

/** The fields of a Secret. Any other comes from a transform, and may have any of the Secret's values. */
const fieldsOfSecrets: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'type', 'immutable', 'data', 'stringData']);

/** Whether a field is masked whatever its value is: a copy of an object, or the value of an environment variable, in which programs get passwords. */
const isMasked = (name: string, parent: string, isSecret: boolean | undefined): boolean =>
  (isSecret === true && !fieldsOfSecrets.has(name)) || name === lastApplied || (name === 'value' && parent === 'env');

function maskAll(value: unknown, isSecret: boolean | undefined, parent = ''): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => maskAll(each, undefined, parent));
  if (!isObject(value)) return value;
  const shown = ([name, each]: readonly [string, unknown]): readonly [string, unknown] => [
    name,
    isMasked(name, parent, isSecret) ? masked : maskAll(each, undefined, name),
  ];
  return Object.fromEntries(Object.entries(maskObject(value, isSecret)).map(shown));
}

/** The part of a value at a path, as `maskAll` shows it; undefined if it says how other parts are masked, or is masked with others. */
function maskPart(path: readonly string[], value: unknown, isSecret: boolean | undefined, at = 0, parent = ''): unknown {
  const name = path[at];
  if (name === undefined) return maskAll(value, isSecret, parent);
  if (Array.isArray(value)) return maskPart(path, value[Number(name)], undefined, at + 1, parent);
  if (!isObject(value)) return undefined;
  const next = path[at + 1];
  if (next === undefined && (name === 'kind' || name === 'metadata')) return undefined;
  // All that `maskObject` changes.
  const isChanged = next === 'annotations' || name === 'data' || name === 'stringData';
  const from: object = isChanged ? maskObject(value, isSecret) : value;
  return maskPart(path, isMasked(name, parent, isSecret) ? masked : from[name as never], undefined, at + 1, name);
}

/** How objects of a collection are masked. */
export interface Masking {
  /** The object with masked values. */
  readonly shown: (object: unknown) => unknown;
  /** The differences between two versions of an object, with masked values. */
  readonly differences: (before: unknown, after: unknown) => readonly Difference[];
}

/** @param isSecretOf - says of an object whether it is a Secret, as for `maskObject`. */
function maskingBy(isSecretOf: (object: unknown) => boolean | undefined): Masking {
  const shown = (object: unknown): unknown => maskAll(object, isSecretOf(object));
  return {
    shown,
    // Masking whole objects takes longer than comparing them: where possible, only what differs is masked.
    differences: (before, after) => {
      const found = differencesOf(before, after);
      const masks = found.map(({ path, before: was, after: is }) => ({
        path,
        ...(was !== undefined && { before: maskPart(path, before, isSecretOf(before)) }),
        ...(is !== undefined && { after: maskPart(path, after, isSecretOf(after)) }),
      }));
      const isWhole = masks.some((each) => Object.values(each).includes(undefined));
      return isWhole ? differencesOf(shown(before), shown(after)) : masks;
    },
  };
}

/** Of a view over Secrets, since any part of its values may be secret. */
const nothingShown: Masking = {
  shown: (value) => (value === undefined ? undefined : '(masked: it is made of Secrets)'),
  differences: (before, after) => differencesOf(nothingShown.shown(before), nothingShown.shown(after)),
};

/** The masking of a collection's objects: values of Secrets and environment variables, and copies of objects in annotations. */
export function maskingOf(running: Running): Masking {
  const facts = running.figures() as Figures & { readonly resource?: string; readonly selection?: string };
  if (facts.kind === 'informer') {
    if (facts.resource === 'secrets') return maskingBy(() => true);
    // Only a client's resource says what its objects are; that of another source is a name that the user has chosen.
    const isKnown = facts.selection !== '';
    return maskingBy((object) => (isKnown && (object as MaybeSecret | null | undefined)?.kind !== 'Secret' ? false : undefined));
  }
  const ofView = maskingBy(() => undefined);
  // It may come to read Secrets at any time.
  const current = (): Masking => (isOfSecrets(running) ? nothingShown : ofView);
  return { shown: (value) => current().shown(value), differences: (before, after) => current().differences(before, after) };
}

/** No masking. */
export const unmasked: Masking = { shown: (object) => object, differences: differencesOf };
