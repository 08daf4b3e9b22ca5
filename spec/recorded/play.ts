import { catchError, map, type Observable, of, reduce } from 'rxjs';
import { ApiError } from '../../src/api/errors/apiError.js';
import { type KubernetesObject, resourceVersionOf } from '../../src/api/kubernetesObject.js';
import {
  initialEventsEndAnnotation,
  type ListChunk,
  type ListerWatcher,
  type ListRequest,
  type WatchEvent,
  type WatchRequest,
} from '../../src/api/listerWatcher.js';
import { type Act, type Name, type Phase, type Scripted, Versions } from './script.js';

/** A server that plays the script. */
export interface Stage {
  /** The objects `a` and `b`. */
  readonly source: Pick<ListerWatcher<KubernetesObject>, 'list' | 'watch'>;
  /** Carries out a write; resolves with its version. */
  write(type: 'ADDED' | 'MODIFIED' | 'DELETED', name: Name): Promise<string>;
  restart(): Promise<void>;
  compact(): Promise<void>;
  /** Lets time pass until the requests are answered. */
  finish?(isFinished: () => boolean): Promise<void>;
}

/** A server refuses a version that it has not after 3 s. */
export const watchSeconds = 4;

/** Plays the script; returns the answers by phase. */
export async function play(stage: Stage, phases: readonly Phase[]): Promise<readonly (readonly string[])[]> {
  const player = new Player(stage);
  const answers: (readonly string[])[] = [];
  for (const { before, requests } of phases) {
    for (const act of before) await player.act(act);
    answers.push(await player.answers(requests));
  }
  return answers;
}

class Player {
  private readonly stage: Stage;
  private readonly versions = new Versions();
  private readonly tokens = new Map<string, string>();

  constructor(stage: Stage) {
    this.stage = stage;
  }

  async act(act: Act): Promise<void> {
    const [what = '', about = ''] = act.split(' ');
    if (act === 'restart' || act === 'compact') await this.stage[act]();
    else if (what === 'token') this.tokens.set(about, await this.tokenOf(about));
    else this.versions.add(Number(await this.stage.write(what as 'ADDED', about as Name)));
  }

  async answers(requests: readonly Scripted[]): Promise<readonly string[]> {
    let left = requests.length;
    const answers = Promise.all(requests.map((request) => this.answer(request).finally(() => (left -= 1))));
    await this.stage.finish?.(() => left === 0);
    return answers;
  }

  private async tokenOf(version: string): Promise<string> {
    const exactly = { resourceVersion: this.versions.numberOf(version), resourceVersionMatch: 'Exact' } as const;
    const page = await lastOf(this.stage.source.list({ limit: 1, ...(version !== 'now' && exactly) }));
    return page.metadata?.continue ?? '';
  }

  private answer({ list, watch }: Scripted): Promise<string> {
    const answer$ = list === undefined ? this.watchAnswer(this.asked(watch)) : this.listAnswer(this.asked(list));
    return lastOf(answer$.pipe(catchError((error: unknown) => of(problemText(error)))));
  }

  private asked<R extends ListRequest & WatchRequest>(request: R): R {
    const { resourceVersion, continue: token } = request;
    return {
      ...request,
      ...(resourceVersion !== undefined && { resourceVersion: this.versions.numberOf(resourceVersion) }),
      ...(token !== undefined && { continue: this.tokens.get(token) }),
    };
  }

  private listAnswer(request: ListRequest): Observable<string> {
    const whole = (list: ListChunk<KubernetesObject>, { items, metadata }: ListChunk<KubernetesObject>) => ({
      metadata: metadata ?? list.metadata ?? {},
      items: [...list.items, ...items],
    });
    return this.stage.source.list(request).pipe(
      reduce(whole, { items: [] }),
      map(({ items, metadata }) => {
        const more = (metadata?.continue ?? '') === '' ? [] : ['...'];
        return [`${this.versions.symbolOf(resourceVersionOf({ metadata }))}:`, ...items.map((item) => this.objectText(item)), ...more].join(
          ' ',
        );
      }),
    );
  }

  private watchAnswer(request: WatchRequest): Observable<string> {
    return this.stage.source.watch({ ...request, timeoutSeconds: watchSeconds }).pipe(
      reduce((lines: readonly string[], events) => [...lines, ...events.flatMap((event) => this.lineText(event))], []),
      map((lines) => (lines.length === 0 ? 'nothing' : lines.join(', '))),
    );
  }

  /** Bookmarks between changes come when the server likes. */
  private lineText({ type, object }: WatchEvent<KubernetesObject>): readonly string[] {
    if (type === 'ERROR') return [`ERROR ${String(object.code)} ${object.reason ?? ''}`];
    if (type !== 'BOOKMARK') return [`${type} ${this.objectText(object)}`];
    const isEnd = object.metadata?.annotations?.[initialEventsEndAnnotation] === 'true';
    return isEnd ? [`END ${this.versions.symbolOf(resourceVersionOf(object))}`] : [];
  }

  private objectText(object: KubernetesObject): string {
    return `${object.metadata?.name ?? ''}@${this.versions.symbolOf(resourceVersionOf(object))}`;
  }
}

function lastOf<V>(values$: Observable<V>): Promise<V> {
  return new Promise((resolve, reject) => {
    let last: V;
    values$.subscribe({ next: (value) => (last = value), error: reject, complete: () => resolve(last) });
  });
}

function problemText(error: unknown): string {
  return error instanceof ApiError ? `${String(error.code)} ${error.reason}`.trimEnd() : String(error);
}
