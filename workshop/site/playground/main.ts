// The playground: editable programs with a server in the page. `#name` opens one of them, `#code=...` the reader's own, `#all` runs all of
// them.
import { highlight } from './highlight.js';
import { type Run, run } from './run.js';
import { playgroundSnippets, type Snippet } from './snippets.js';

/** The duration of the drawing of a run. */
const seconds = 6;
const frameMs = 33;
/** With `?picture` the page is embedded in another one: only the figure, which is run repeatedly. */
const isPicture = location.search === '?picture';
const againMs = 2_500;

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`Expected an element #${id}`);
  return found;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function part(name: string): HTMLElement {
  const made = document.createElement('div');
  made.className = name;
  return made;
}

/** Runs a program, draws it into a figure, and describes the result in words below; then calls `over`. */
function start(code: string, figure: HTMLElement, over = (): void => undefined): Run {
  const [picture, words, problem] = [part('picture'), part('words'), part('problem')];
  problem.setAttribute('role', 'alert');
  figure.replaceChildren(picture, problem, words);
  const running = run(code, picture, (error) => problem.append(`${messageOf(error)}\n`), seconds);
  const draw = (): void => {
    const goesOn = running.stage.tick();
    words.textContent = running.stage.inWords();
    if (goesOn) setTimeout(draw, frameMs);
    else {
      running.stop();
      figure.dataset['done'] = 'true';
      over();
    }
  };
  delete figure.dataset['done'];
  draw();
  return running;
}

class Playground {
  private readonly editor = element('code') as HTMLTextAreaElement;
  private readonly shown = element('shown');
  private readonly figure = element('figure');
  private readonly menu = element('menu') as HTMLSelectElement;
  private running: Run | undefined;

  constructor() {
    for (const group of new Set(playgroundSnippets.map((snippet) => snippet.group))) {
      const options = document.createElement('optgroup');
      options.label = group;
      for (const { name } of playgroundSnippets.filter((snippet) => snippet.group === group)) options.append(new Option(name, name));
      this.menu.append(options);
    }
    this.menu.addEventListener('change', () => (location.hash = this.menu.value));
    element('run').addEventListener('click', () => this.start());
    element('reset').addEventListener('click', () => this.open(this.snippet));
    element('link').addEventListener('click', () => (location.hash = `code=${encodeURIComponent(this.editor.value)}`));
    this.editor.addEventListener('input', () => this.paint());
    this.editor.addEventListener('scroll', () => this.follow());
    this.editor.addEventListener('keydown', (event) => this.onKey(event));
  }

  open({ name, code }: Snippet): void {
    this.menu.value = name;
    this.editor.value = code;
    this.paint();
    this.start();
  }

  get snippet(): Snippet {
    const [, own] = /^#code=(.*)$/.exec(location.hash) ?? [];
    if (own !== undefined) return { name: '', group: '', code: decodeURIComponent(own) };
    const [first] = playgroundSnippets;
    const found = playgroundSnippets.find(({ name }) => name === location.hash.slice(1)) ?? first;
    if (found === undefined) throw new Error('Expected a snippet');
    return found;
  }

  private start(): void {
    this.running?.stop();
    this.running = start(this.editor.value, this.figure, () => {
      if (isPicture) setTimeout(() => this.start(), againMs);
    });
  }

  private paint(): void {
    this.shown.innerHTML = `${highlight(this.editor.value)}\n`;
    this.follow();
  }

  private follow(): void {
    this.shown.scrollTop = this.editor.scrollTop;
    this.shown.scrollLeft = this.editor.scrollLeft;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.start();
    }
  }
}

/** Shows all programs below each other, and runs each once. */
function showAll(): void {
  element('one').hidden = true;
  const all = element('all');
  for (const { name, code } of playgroundSnippets) {
    const section = document.createElement('section');
    const heading = document.createElement('h2');
    const link = document.createElement('a');
    link.href = `#${name}`;
    link.textContent = name;
    heading.append(link);
    const figure = document.createElement('figure');
    figure.dataset['snippet'] = name;
    section.append(heading, figure);
    all.append(section);
    start(code, figure);
  }
}

function route(playground: Playground): void {
  element('all').replaceChildren();
  element('one').hidden = false;
  if (location.hash === '#all') showAll();
  else playground.open(playground.snippet);
}

document.documentElement.classList.toggle('only-picture', isPicture);
const playground = new Playground();
window.addEventListener('hashchange', () => route(playground));
route(playground);
