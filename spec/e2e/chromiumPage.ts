import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

function isComplaint({ method, params }: Message): boolean {
  const { type, entry } = params as { readonly type?: string; readonly entry?: { readonly level: string } };
  if (method === 'Runtime.exceptionThrown') return true;
  return (
    (method === 'Runtime.consoleAPICalled' && /error|warning|assert/.test(type ?? '')) ||
    (method === 'Log.entryAdded' && entry?.level === 'error')
  );
}

/** A page of a browser without a window, told what to do by the DevTools protocol over a pipe. */
export class ChromiumPage {
  private readonly child: ChildProcess;
  private readonly profile: string;
  private readonly waiting = new Map<number, (message: Message) => void>();
  private readonly events = new Map<string, () => void>();
  private complaints: string[] = [];
  private session: string | undefined;
  private last = 0;
  private rest = '';

  private constructor(command: string, profile: string, more: readonly string[]) {
    this.profile = profile;
    const args = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--hide-scrollbars',
      '--remote-debugging-pipe',
      ...more,
    ];
    // Debian's command is a script: as the leader of a group it can be ended with all its processes.
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;
    this.child = spawn(command, [...args, `--user-data-dir=${profile}`], { stdio: [...stdio], detached: true });
    (this.child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => this.receive(text));
  }

  static async start(command: string, more: readonly string[] = []): Promise<ChromiumPage> {
    return new ChromiumPage(command, await mkdtemp(join(tmpdir(), 'rx-informer-chromium-')), more);
  }

  /** Opens an address in a tab of its own: the time of the one before may stand still. */
  async open(url: string): Promise<void> {
    this.session = undefined;
    const { targetId } = (await this.send('Target.createTarget', { url: 'about:blank' })) as { readonly targetId: string };
    const { sessionId } = (await this.send('Target.attachToTarget', { targetId, flatten: true })) as { readonly sessionId: string };
    this.session = sessionId;
    await this.send('Page.enable');
    await this.goTo(url);
  }

  /** Records what pages complain about from now on: exceptions, errors of the console, files that cannot be loaded. */
  async listen(): Promise<void> {
    await this.send('Runtime.enable');
    await this.send('Log.enable');
  }

  /** What was recorded since the last call. */
  takeComplaints(): readonly string[] {
    const taken = this.complaints;
    this.complaints = [];
    return taken;
  }

  /** Opens an address in the tab that is open. */
  async goTo(url: string): Promise<void> {
    const loaded = this.event('Page.loadEventFired');
    await this.send('Page.navigate', { url });
    await loaded;
  }

  /** Goes back to the address before. */
  async back(): Promise<void> {
    const shown = this.event('Page.frameNavigated');
    const { entries, currentIndex } = (await this.send('Page.getNavigationHistory')) as {
      readonly entries: readonly { readonly id: number }[];
      readonly currentIndex: number;
    };
    await this.send('Page.navigateToHistoryEntry', { entryId: entries[currentIndex - 1]?.id });
    await shown;
  }

  /** Takes the page's network away, or gives it back. */
  async offline(isOffline: boolean): Promise<void> {
    await this.send('Network.enable');
    await this.send('Network.emulateNetworkConditions', { offline: isOffline, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  }

  /** Gives the page a window of this size. */
  async resize(width: number, height: number): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  }

  /** Has the page shown as a user sees it who prefers light or dark colours. */
  async prefer(scheme: 'light' | 'dark'): Promise<void> {
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  }

  /** The page from top to bottom, as PNG. */
  async picture(): Promise<Buffer> {
    const { data } = (await this.send('Page.captureScreenshot', { captureBeyondViewport: true })) as { readonly data: string };
    return Buffer.from(data, 'base64');
  }

  /** Lets so much time pass in the page, as fast as the machine can. */
  async advance(budget: number): Promise<void> {
    const over = this.event('Emulation.virtualTimeBudgetExpired');
    await this.send('Emulation.setVirtualTimePolicy', { policy: 'advance', budget });
    await over;
  }

  /** The value of an expression in the page. */
  async evaluate(expression: string): Promise<unknown> {
    const answer = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    return (answer as { readonly result: { readonly value?: unknown } }).result.value;
  }

  async close(): Promise<void> {
    const gone = once(this.child, 'close');
    if (this.child.pid !== undefined && this.child.exitCode === null) process.kill(-this.child.pid, 'SIGKILL');
    await gone;
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  private event(name: string): Promise<void> {
    return new Promise((resolve) => this.events.set(name, resolve));
  }

  private send(method: string, params: object = {}): Promise<unknown> {
    this.last += 1;
    const id = this.last;
    const message = { id, method, params, ...(this.session !== undefined && { sessionId: this.session }) };
    (this.child.stdio[3] as Writable).write(`${JSON.stringify(message)}\0`);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ result, error }) =>
        error === undefined ? resolve(result) : reject(new Error(`${method}: ${error.message}`)),
      );
    });
  }

  private receive(text: string): void {
    const messages = `${this.rest}${text}`.split('\0');
    this.rest = messages.pop() ?? '';
    for (const each of messages) {
      const message = JSON.parse(each) as Message;
      if (message.id !== undefined) this.waiting.get(message.id)?.(message);
      else if (message.method !== undefined) {
        if (isComplaint(message)) this.complaints.push(JSON.stringify(message.params).slice(0, 300));
        this.events.get(message.method)?.();
      }
    }
  }
}
