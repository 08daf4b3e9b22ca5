import { registry, type Running, systemClock } from 'rx-informer/internal';

/** An object that may be a Secret. */
export interface MaybeSecret {
  readonly kind?: string;
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
}

/** Whether a Secret is anywhere in a value, as a transform may have put it there. */
function holdsSecret(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && ((value as MaybeSecret).kind === 'Secret' || Object.values(value).some(holdsSecret))
  );
}

/** How many objects say what is in a collection, and for how long: that of a source has a name that the user has chosen, and a transform may add a Secret. */
const samples = 10;
const sampledMs = 1_000;
const sampled = new WeakMap<Running, { readonly at: number; readonly found: boolean }>();

function samplesHoldSecret(running: Running): boolean {
  const { cache } = running;
  const now = systemClock.now();
  const last = sampled.get(running);
  if (cache === undefined || (last !== undefined && (last.found || now - last.at < sampledMs))) return last?.found === true;
  const keys = cache.keys();
  const found = keys.slice(0, samples).some((key) => holdsSecret(cache.get(key)));
  // Few objects are looked at each time: there may be others soon.
  if (found || keys.length > samples) sampled.set(running, { at: now, found });
  return found;
}

/** Some things, and all that they are made of. */
export function withInputs(some: Iterable<Running>): ReadonlySet<Running> {
  const all = new Set(some);
  for (const each of all) for (const input of each.inputs?.() ?? []) all.add(input);
  return all;
}

/** Whether something reads Secrets: an informer of them, a control loop with such caches, or a view that has ever been made of them, since it may keep some. */
export function isOfSecrets(running: Running): boolean {
  const holds = (each: Running): boolean =>
    [...(each.resources?.() ?? [])].includes('secrets') || ((each.inputs?.().length ?? 0) === 0 && samplesHoldSecret(each));
  const all = [...withInputs([running])];
  // What a control loop reads that names no caches is not known: anything of this process.
  const isUnknown = running.inputs !== undefined && running.cache === undefined && all.length === 1;
  return isUnknown
    ? registry()
        .all()
        .some((each) => each.cache !== undefined && isOfSecrets(each))
    : all.some(holds);
}

/** The codes of failures of a user's functions, and of what cannot be read. */
const quotingCodes: ReadonlySet<unknown> = new Set(['ERR_VIEW', 'ERR_TRANSFORM', 'ERR_HANDLER', 'ERR_INDEX_FUNC', 'ERR_DECODE']);

/** A failure without its message if that may quote what a function was given, as `JSON.parse` does. */
export function unquoted<F extends { readonly code: string; readonly message: string }>(failure: F): F {
  return quotingCodes.has(failure.code) ? { ...failure, message: maskedMessage } : failure;
}

/** What is shown in the place of such a message. */
export const maskedMessage = '(masked: it may quote a Secret)';
