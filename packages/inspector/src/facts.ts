import {
  apiErrorIn,
  type CollectionFigures,
  type Figures,
  type InformerFigures,
  type QueueFigures,
  type RightsFigures,
  type Running,
} from 'rx-informer/internal';
import { isOfSecrets, maskedMessage, unquoted } from './secrets.js';

/** A summary of a failure. */
export interface FailureFacts {
  readonly code: string;
  readonly message: string;
  /** The HTTP status of the API server's answer. */
  readonly http?: number | undefined;
}

/** Figures whose error is a summary. */
type Plain<F> = Omit<F, 'error'> & { readonly error?: FailureFacts | undefined };

/** What is known of an informer. */
export type InformerFacts = Plain<Omit<InformerFigures, 'scopes'>> & {
  readonly scopes: readonly Plain<InformerFigures['scopes'][number]>[];
};

/** What is known of a view. */
export interface ViewFacts extends Plain<CollectionFigures> {
  readonly kind: 'view';
  /** The names of its inputs. */
  readonly inputs: readonly string[];
  readonly computed: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly durationMs: number;
}

/** What is known of a control loop. */
export interface ControllerFacts extends Figures {
  readonly kind: 'controller';
  readonly phase: string;
  /** The time since it began, in milliseconds. */
  readonly forMs: number;
  /** The names of the caches that it waits for. */
  readonly waitsFor: readonly string[];
  readonly waiting: number;
  /** The number of delayed keys. */
  readonly delayed: number;
  readonly running: readonly { readonly key: string; readonly forMs: number; readonly attempt: number }[];
  readonly failing: readonly { readonly key: string; readonly attempts: number; readonly message: string }[];
  readonly succeeded: number;
  readonly failed: number;
  /** The key with the most calls within a minute: their number, and for how many milliseconds they came without a pause of a second. */
  readonly busiest?: { readonly key: string; readonly calls: number; readonly forMs: number; readonly cause: string } | undefined;
}

/** What is known of a candidate for a lease. */
export interface ElectorFacts extends Figures {
  readonly kind: 'elector';
  readonly lease: string;
  readonly identity: string;
  readonly leads: boolean;
  readonly holder: string;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  /** The number of late renewals, the time of the last one, and the longest pause between two. */
  readonly late: number;
  readonly lateAt?: number | undefined;
  readonly longestPauseMs: number;
  readonly error?: FailureFacts | undefined;
}

/** What is known of a member of a group of shards. */
export interface ShardFacts extends Figures {
  readonly kind: 'shards';
  readonly identity: string;
  readonly active: boolean;
  readonly slots: number;
  readonly members: readonly string[];
}

/** What is known of a manager. */
export interface ManagerFacts extends Figures {
  readonly kind: 'manager';
  readonly state: string;
  readonly problems: readonly string[];
}

/** What is known of something that runs, as plain data. */
export type Facts = InformerFacts | ViewFacts | QueueFigures | ControllerFacts | ElectorFacts | ShardFacts | RightsFigures | ManagerFacts;

function failureOf(error: Error & { readonly code?: unknown }): FailureFacts {
  const { code = error.name, message } = error;
  const answer = apiErrorIn(error);
  return { code: String(code), message, ...(answer && { http: answer.code }) };
}

interface Failing {
  readonly error?: Error | undefined;
}

const plain = <F extends Failing>({ error, ...figures }: F): Plain<F> => ({ ...figures, ...(error && { error: failureOf(error) }) });

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** A number of its own for each object. */
export function numberOf(thing: object): number {
  const known = numbers.get(thing);
  if (known !== undefined) return known;
  lastNumber += 1;
  numbers.set(thing, lastNumber);
  return lastNumber;
}

interface MaybeFailed {
  readonly error?: FailureFacts | undefined;
}

/** The messages in facts of any kind. */
interface Messages extends MaybeFailed {
  readonly kind: string;
  readonly scopes?: readonly MaybeFailed[];
  readonly consumers?: readonly { readonly failure?: string | undefined }[];
  readonly failing?: readonly { readonly message: string }[];
}

const quotes = ({ error }: MaybeFailed): boolean => error !== undefined && unquoted(error) !== error;
const withoutQuotes = <M extends MaybeFailed>(one: M): M => (one.error === undefined ? one : { ...one, error: unquoted(one.error) });

/** Whether there is a message that may quote what a function of the user was given. */
function mayQuote(facts: Messages): boolean {
  const { scopes = [], consumers = [], failing = [] } = facts;
  return [facts, ...scopes].some(quotes) || consumers.some(({ failure }) => failure !== undefined) || failing.length > 0;
}

function unquotedFacts<F extends Messages>(facts: F): F {
  const { scopes, consumers, failing } = facts;
  return {
    ...withoutQuotes(facts),
    ...(scopes && { scopes: scopes.map(withoutQuotes) }),
    ...(consumers && { consumers: consumers.map((one) => (one.failure === undefined ? one : { ...one, failure: maskedMessage })) }),
    ...(failing && { failing: failing.map((one) => ({ ...one, message: maskedMessage })) }),
  };
}

/** The facts about something that runs, now. */
export function factsOf(running: Running): Facts {
  const { scopes, ...figures } = running.figures() as Figures & Failing & { readonly scopes?: readonly Failing[] };
  // Each kind has the figures of the package that registers it, which has the same version.
  const facts = { ...plain(figures), ...(scopes && { scopes: scopes.map(plain) }) } as Facts;
  return mayQuote(facts) && isOfSecrets(running) ? unquotedFacts(facts) : facts;
}
