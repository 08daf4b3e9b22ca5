import { readFileSync } from 'node:fs';
import type { Answer, AnyJson, RequestInit } from '../support/httpClient.js';

/** The answer of kube-apiserver 1.36, or of the embedded server: the parts that do not depend on the run. */
export type Recorded = Readonly<Record<string, unknown>> & { readonly code: number };

/** One recorded request with its answer. Fields that are equal in nearly every answer are omitted in the file. */
export interface GoldenCase {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly answer: Recorded;
}

/** What requests are made with. */
export interface Replay {
  /** Sends a request as the administrator. */
  readonly send: (method: string, path: string, init?: RequestInit) => Promise<Answer>;
  /** The path of something in the replay's own namespace. */
  readonly in: (path: string) => string;
  /** The path in a recording, with the words in capitals filled in. */
  readonly fill: (path: string) => string;
  /** What an earlier step has kept under a name. */
  readonly kept: Map<string, string>;
}

/** The parts that a recording omits: headers and body of the request, and how much of the answer's body was recorded. */
export interface GoldenRequest {
  /** Where the recorded path has a number that differs between runs. */
  readonly path?: string | ((replay: Replay) => string);
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON; a function reads the server first. */
  readonly body?: unknown;
  /** The recorded part of the answer's body; everything that does not depend on the run if absent. */
  readonly shown?: (body: AnyJson, replay: Replay) => unknown;
  /** The changes that controllers of the recorded cluster, or an earlier run, had made in between. */
  readonly before?: (replay: Replay) => Promise<void>;
}

/** Requests by the names of their cases. */
export type GoldenRequests = Readonly<Record<string, GoldenRequest>>;

const usual = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' };

function isPlainError({ code, ...answer }: Recorded): boolean {
  return code >= 400 && answer['message'] !== undefined;
}

/** The recorded cases, in the order in which they were sent. */
export function goldenCases(): readonly GoldenCase[] {
  const lines = readFileSync(new URL('kubernetes-1.36.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const recorded = JSON.parse(line) as GoldenCase;
    const { answer } = recorded;
    const complete: Record<string, unknown> = { ...usual, ...(isPlainError(answer) && { status: 'Failure' }), ...answer };
    for (const [name, value] of Object.entries(complete)) if (value === null) Reflect.deleteProperty(complete, name);
    return { ...recorded, answer: complete as Recorded };
  });
}
