import { refuse } from '../cliError.js';

/** A kind, or one object of it. */
export interface Target {
  readonly kind: string;
  readonly name?: string;
}

const usage = 'a kind, kinds with commas between them, or kind/name';

function namedTarget(text: string): Target {
  const [kind = '', name = '', ...rest] = text.split('/');
  if (kind === '' || name === '' || rest.length > 0) refuse('kind/name', text);
  return { kind, name };
}

/** What `pods`, `pods web api`, `pod/web service/web` and `pods,services` mean: throws a CliError when they mean nothing. */
export function parseTargets(first: string, others: readonly string[]): readonly Target[] {
  const targets = first.includes('/')
    ? [first, ...others].map(namedTarget)
    : first.split(',').flatMap((kind): Target[] => (others.length === 0 ? [{ kind }] : others.map((name) => ({ kind, name }))));
  for (const { kind, name } of targets) {
    if (kind.trim() === '') refuse(usage, first);
    if (name !== undefined && !/^[^\s,=!/\\]+$/.test(name)) refuse('the name of an object', name);
  }
  return targets;
}
