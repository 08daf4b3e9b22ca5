import { listOf, type Setting, watchOf } from '../exhaustive/reflector/carryOut.js';
import { beginOf, changeOf, settingOf } from '../exhaustive/reflector/reflectorMachine.js';
import { RequestMoves } from '../exhaustive/reflector/requestMoves.js';
import * as subject from '../exhaustive/reflector/subject.js';
import { type List, objectAt, type Place, versionAt, type Watch, type World } from '../exhaustive/reflector/world.js';
import type { ListRequest } from '../../src/api/listerWatcher.js';
import type { Act, Phase, Scripted } from './script.js';

/** The server of the explorations with the history of the script, whose versions are those of its writes. */
class ExploredServer {
  private readonly setting: Setting = settingOf(subject);
  private readonly requests: RequestMoves = new RequestMoves(this.setting, 'client');
  private world: World = { ...beginOf({ writes: 0, restores: 0, restarts: 0, compactions: 0, faults: 0, wishes: 0 }, subject), log: [] };

  act(act: Act): void {
    const { log } = this.world;
    const [what = '', name = ''] = act.split(' ');
    if (act === 'restart') this.world = { ...this.world, cached: log.length };
    else if (act === 'compact') this.world = { ...this.world, kept: log.length };
    else if (what !== 'token') {
      const change = changeOf(name as 'a', what as 'ADDED', log.length + 1, log.length + 1);
      this.world = { ...this.world, log: [...log, change] };
    }
  }

  /** The answers that it may give; `undefined` where no reflector sends such a request. */
  answers({ list, watch }: Scripted): readonly string[] | undefined {
    if (list !== undefined) return isSent(list) ? this.listAnswers(list) : undefined;
    const { resourceVersion = '', sendInitialEvents, resourceVersionMatch, allowWatchBookmarks = false } = watch;
    const streams = sendInitialEvents === true && resourceVersionMatch === 'NotOlderThan' && resourceVersion !== '0';
    const resumes = sendInitialEvents === undefined && resourceVersion !== '' && resourceVersion !== '0';
    return allowWatchBookmarks && (streams || resumes) ? [this.watchAnswer(watchOf(this.asked(watch)))] : undefined;
  }

  private asked<R extends { readonly resourceVersion?: string | undefined }>(request: R): R {
    const { resourceVersion } = request;
    return resourceVersion === undefined
      ? request
      : { ...request, resourceVersion: resourceVersion.replace('v', '').replace('future', '99') };
  }

  private listAnswers(request: ListRequest): readonly string[] {
    const list = listOf(this.asked(request), this.setting);
    const world = { ...this.world, client: { ...this.world.client, list } };
    return this.requests.of(world).map(({ name, to }) => {
      const { list: answered } = to.client;
      return answered?.served === undefined ? problemOf(name) : listText(answered, answered.served, request.limit);
    });
  }

  private watchAnswer(watch: Watch): string {
    let world: World = { ...this.world, client: { ...this.world.client, watch } };
    const lines: string[] = [];
    for (;;) {
      const [move] = this.requests.calm(world);
      if (move === undefined || move.name.includes('bookmark')) return lines.join(', ') || 'nothing';
      if (move.name.includes('refused')) return `ERROR ${problemOf(move.name)}`;
      const place = move.to.client.watch?.place as Place;
      const [, type, name = '', version] = /brings ([A-Z]*) ?([ab])(?: (\d+))?$/.exec(move.name) ?? [];
      if (move.name === 'the stream is complete') return [...lines, `END v${versionAt(place)}`].join(', ');
      if (version !== undefined) lines.push(`${type ?? ''} ${name}@v${version}`);
      else if (name !== '') lines.push(`ADDED ${objectTexts(place, name as 'a').join('')}`);
      world = move.to;
    }
  }
}

/** Whether a reflector sends such a list: without contradictions, and in one piece. */
function isSent({ resourceVersion = '', resourceVersionMatch: match, continue: token }: ListRequest): boolean {
  return token === undefined && (match === undefined || resourceVersion !== '') && !(match === 'Exact' && resourceVersion === '0');
}

/** Version 0 is answered with everything where there is a cache. */
function listText({ isPaginated, version }: List, place: Place, limit = Infinity): string {
  const objects = (['a', 'b'] as const).flatMap((name) => objectTexts(place, name));
  const isWhole = objects.length <= limit || (version === '0' && !isPaginated);
  return [`v${versionAt(place)}:`, ...(isWhole ? objects : [...objects.slice(0, limit), '...'])].join(' ');
}

function objectTexts(place: Place, name: 'a' | 'b'): readonly string[] {
  const object = objectAt(place, name);
  return object === undefined ? [] : [`${name}@v${object.metadata?.resourceVersion ?? ''}`];
}

function problemOf(name: string): string {
  if (name.includes('expired')) return '410 Expired';
  return name.includes('too large') ? '504 Timeout' : name;
}

/** What the server of the explorations may answer, by phase. */
export function exploredAnswers(phases: readonly Phase[]): readonly (readonly (readonly string[] | undefined)[])[] {
  const server = new ExploredServer();
  return phases.map(({ before, requests }) => {
    for (const act of before) server.act(act);
    return requests.map((request) => server.answers(request));
  });
}
