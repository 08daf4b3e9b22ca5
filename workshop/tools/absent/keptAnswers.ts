import { readFileSync, writeFileSync } from 'node:fs';
import type { AbsentAnswer, Cause } from './answers.js';

const file = new URL('../../../packages/api-server/spec/golden/absent-1.36.jsonl', import.meta.url);

/** The stored form of a cause: the number of its type and message, with its field if that is not the removed part. */
type KeptCause = number | readonly [number, string];

/** The stored form of a refusal: its code, with its reason and message, or with its causes. */
type KeptAnswer = readonly [code: number, reason: string, message: string] | readonly KeptCause[];

interface KeptObject {
  readonly of: string;
  /** The parts in order. A part that may be missing has an empty list; the path of an emptied part ends with `=`. */
  readonly parts: readonly (string | readonly [string, KeptAnswer])[];
}

const suffixes = { absent: '', empty: '=', whole: '*' } as const;

/** Writes the answers of a real server: one line with all messages, then one line per object. */
export function keepAnswers(answers: readonly AbsentAnswer[]): void {
  const texts = new Map<string, number>();
  const numberOf = (type: string, message: string): number => {
    const text = JSON.stringify([type, message]);
    const known = texts.get(text) ?? texts.size;
    texts.set(text, known);
    return known;
  };
  const objects = new Map<string, KeptObject['parts'][number][]>();
  for (const { of, path, how, code, reason = '', message = '', causes } of answers) {
    const parts = objects.get(of) ?? [];
    objects.set(of, parts);
    const part = path + suffixes[how];
    const short = causes?.map(([type, field, text]): KeptCause => (field === path ? numberOf(type, text) : [numberOf(type, text), field]));
    if (code === 201) parts.push(part);
    else parts.push([part, code === 422 && short !== undefined ? short : [code, reason, message]]);
  }
  const lines = [...objects].map(([of, parts]) => JSON.stringify({ of, parts }));
  writeFileSync(file, `${[`[${[...texts.keys()].join(',')}]`, ...lines].join('\n')}\n`);
}

function answerOf(of: string, texts: readonly (readonly [string, string])[], part: string, kept?: KeptAnswer): AbsentAnswer {
  const how = part.endsWith('=') ? 'empty' : part.endsWith('*') ? 'whole' : 'absent';
  const path = how === 'absent' ? part : part.slice(0, -1);
  if (kept === undefined) return { of, path, how, code: 201 };
  if (typeof kept[1] === 'string') return { of, path, how, code: kept[0] as number, reason: kept[1], message: kept[2] as string };
  const causes = (kept as readonly KeptCause[]).map((cause): Cause => {
    const [number, field] = typeof cause === 'number' ? [cause, path] : cause;
    const [type, message] = texts[number] ?? ['', ''];
    return [type, field, message];
  });
  return { of, path, how, code: 422, reason: 'Invalid', causes };
}

/** The stored answers of a real server. */
export function keptAnswers(): readonly AbsentAnswer[] {
  const [first = '[]', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const texts = JSON.parse(first) as readonly (readonly [string, string])[];
  return lines.flatMap((line) => {
    const { of, parts } = JSON.parse(line) as KeptObject;
    return parts.map((part) => (typeof part === 'string' ? answerOf(of, texts, part) : answerOf(of, texts, ...part)));
  });
}
