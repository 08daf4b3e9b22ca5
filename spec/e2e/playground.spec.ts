import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { playgroundSnippets } from '../../workshop/site/playground/snippets.js';
import { bundlePlayground } from '../../workshop/tools/docs/bundlePlayground.js';
import { findBrowser } from './browsers.js';
import { ChromiumPage } from './chromiumPage.js';

const chromium = findBrowser('Chromium');

/** What each stream of a program showed, by the name of the program and the stream. */
const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  informer: { resource$: '+a, ✓, +b, −b, ~a' },
  shareWithSnapshot: { 'first subscriber': '+a, +b, ✓, ~a, −b', 'late subscriber': '+a, +b, ✓, −b' },
  relist: { change$: '+a +b, −a +c' },
  filterObjects: { running: '+a, +b, +c, −a, −c' },
  filterObjectsLive: { wanted: '+a +b, −b, +b, −a' },
  withLabels: { 'app=web': '+a, +b, −a, −b' },
  inNamespaces: { shop: '+shop/a, ~shop/a, −shop/a' },
  ownedBy: { 'of the set': '+a, +b, −a' },
  filterUpdates: { 'status changed': '+a, ~a, −a' },
  ofType: { deleted: '−a, −a' },
  untilDeleted: { "until 'a' is deleted": '+a, ✓, +b, ~a, −a, |' },
  conflateByKey: { 'once a second': '+a +b, ~a, −b ~a' },
  debounceByKey: { 'quiet for 0.5 s': '+a +b, ~a, ~b' },
  resync: { 'every 2.5 s again': '+a, +b, =a =b, −a, =b' },
  groupByKey: { 'changes of each': 'a: 1, b: 1, a: 2, b: 2, a: 3, a: 1' },
  pairwiseByKey: { 'from, to': 'Pending → Running, Pending → Failed, Running → Succeeded' },
  toMap: { 'toMap()': 'b a, c b a, c b a, c a' },
  toObjects: { 'toObjects()': '[a b], [a b c], [a c]' },
  derive: { backends: '+db: none +web: a, ~db: b, ~db: none ~web: a b, ~web: b, −db' },
  deriveMany: { containers: '+a-main: a-main, +b-main: b-main +b-log: b-log, +a-log: a-log, −b-main −b-log' },
  groupObjects: { groups: '+n1: a, ~n1: a b, +n2: c, −n2' },
  reduceObjects: { 'per phase': '+Running: 1 +Pending: 1, −Pending ~Running: 2, ~Running: 3, ~Running: 2 +Failed: 1, ~Running: 1' },
  topObjects: { 'the worst two': '+b +a, −a +c, −b +a, −c +b' },
  mergeViews: { both: '+a +b, +c, −a, −b' },
  objectsByIndex: { 'on n1': '+a, +c, −a' },
};

/** A program's figure, as the page shows it. */
interface Figure {
  readonly name: string;
  readonly isDone: boolean;
  readonly problem: string;
  readonly words: string;
  readonly marbles: readonly string[];
}

const readFigures = `[...document.querySelectorAll('figure')].filter(({ firstChild }) => firstChild).map((figure) => ({
  name: figure.dataset.snippet ?? '',
  isDone: figure.dataset.done === 'true',
  problem: figure.querySelector('.problem').textContent.trim(),
  words: figure.querySelector('.words').textContent,
  marbles: [...figure.querySelectorAll('.marble text')].map(({ textContent }) => textContent),
}))`;

function lanesOf({ words }: Figure): Record<string, string> {
  return Object.fromEntries(words.split('\n').map((line) => (/^(.*?): (.*)$/.exec(line)?.slice(1) ?? [line, '']) as [string, string]));
}

(chromium === undefined ? describe.skip : describe)('the playground, opened from a disk', () => {
  let folder: string;
  let page: ChromiumPage;

  /** The figures of the page after its programs have run, in the browser's virtual time. */
  async function figuresAt(hash: string): Promise<readonly Figure[]> {
    await page.open(`${pathToFileURL(join(folder, 'index.html')).href}${hash}`);
    for (;;) {
      const figures = (await page.evaluate(readFigures)) as readonly Figure[];
      if (figures.length > 0 && figures.every(({ isDone }) => isDone)) return figures;
      await page.advance(1_000);
    }
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rx-informer-playground-'));
    await bundlePlayground(folder);
    page = await ChromiumPage.start(chromium?.command ?? '');
  });

  afterAll(async () => {
    await page.close();
    await rm(folder, { recursive: true });
  });

  it('runs every program, and draws what it shows', async () => {
    const figures = await figuresAt('#all');

    expect(figures.map(({ name }) => name)).toEqual(playgroundSnippets.map(({ name }) => name));
    expect(playgroundSnippets.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(expected)));
    for (const figure of figures) {
      const { name, problem } = figure;
      expect({ name, problem, lanes: lanesOf(figure) }).toEqual({
        name,
        problem: '',
        lanes: expect.objectContaining(expected[name] ?? {}),
      });
    }
  });

  it('opens a program by its name, marbles drawn', async () => {
    const [figure] = await figuresAt('#toObjects');

    expect(figure).toMatchObject({ name: '', problem: '', marbles: expect.arrayContaining(['[a b]', '[a b c]', '[a c]']) });
    expect(await page.evaluate(`document.querySelector('#code').value`)).toContain('toObjects()');
  });

  it('runs what a reader makes of it', async () => {
    await figuresAt('#toObjects');
    await page.evaluate(`(() => {
      const editor = document.querySelector('#code');
      editor.value = editor.value.replace(/toObjects\\(\\)/g, 'map(({ cause }) => cause)').replace("import {", "import { map } from 'rxjs';\\nimport {");
      document.querySelector('#run').click();
    })()`);
    await page.advance(7_000);

    const [figure] = (await page.evaluate(readFigures)) as readonly Figure[];
    expect(figure).toMatchObject({ problem: '', marbles: expect.arrayContaining(['snapshot', 'watch']) });
  });

  it('opens a program from its link', async () => {
    const own = `import { of } from 'rxjs';\nimport { show } from 'playground';\nshow('mine', of('x', 'y'));`;
    const [mine] = await figuresAt(`#code=${encodeURIComponent(own)}`);
    expect(mine).toMatchObject({ problem: '', words: 'mine: x, y, |' });
  });

  it.each([
    [`import { filterObject } from 'rx-informer';`, 'TypeError: Expected a name that rx-informer exports, got filterObject'],
    [`import { of from 'rxjs';`, `SyntaxError: Expected an import such as import { of } from 'rxjs', got import { of from 'rxjs';`],
    [`import rx from 'rxjs';`, `SyntaxError: Expected an import such as import { of } from 'rxjs', got import rx from 'rxjs';`],
    [`import { show } from 'playground';\nshow('mine', 7);`, 'TypeError: Expected `show` to be given a name and an Observable, got number'],
  ])('says what is wrong with %j', async (code, problem) => {
    const [refused] = await figuresAt(`#code=${encodeURIComponent(code)}`);
    expect(refused?.problem).toBe(problem);
  });
});
