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

/** Parses `pods`, `pods web api`, `pod/web service/web` or `pods,services`. Throws a CliError for anything else. */
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

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration such as `20s`, `500ms` or `1m30s`, or a number of seconds, in milliseconds. */
export function parseDuration(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const parts = /^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text) ? text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g) : undefined;
  if (parts === undefined) refuse('a duration such as 20s, 500ms or 1m30s, or a number of seconds', text);
  return [...parts].reduce((sum, [, amount = '0', unit = 's']) => sum + Number(amount) * (units[unit] ?? 0), 0);
}

/** Returns the address of an API server unchanged, after checking that it is an http or https URL without user, query and fragment. */
export function parseServer(text: string): string {
  const { protocol = '', username, search, hash } = URL.canParse(text) ? new URL(text) : ({} as Partial<URL>);
  if (!/^https?:$/.test(protocol) || [username, search, hash].some((part) => part !== ''))
    refuse('the address of an API server, such as http://127.0.0.1:8001', text);
  return text;
}

/** A TCP port; 0 for any free port. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) refuse('a port from 0 to 65535', text);
  return port;
}
