import type { Figures } from './runSide.js';
import { ThreadClock } from './threadClock.js';

function collect(): void {
  // Twice: what only finalizers held goes with the second one.
  globalThis.gc?.();
  globalThis.gc?.();
}

/** Bytes. */
const maxRss = (): number => process.resourceUsage().maxRSS * 1024;

/**
 * Measures a stretch of work in this process: wall and CPU time (all threads), memory before and after.
 */
export class Meter {
  private readonly heapBefore: number;
  private readonly externalBefore: number;
  private readonly rssBefore: number;
  private wall = 0;
  private cpu = 0;

  constructor() {
    collect();
    const { heapUsed, external, rss } = process.memoryUsage();
    this.heapBefore = heapUsed;
    this.externalBefore = external;
    this.rssBefore = rss;
    this.restart();
  }

  /** The stretch begins now. */
  restart(): void {
    const { user, system } = process.cpuUsage();
    this.cpu = user + system;
    this.wall = performance.now();
  }

  /** The stretch is over. */
  times(): { readonly wallMs: number; readonly cpuMs: number } {
    const wallMs = performance.now() - this.wall;
    const { user, system } = process.cpuUsage();
    return { wallMs, cpuMs: (user + system - this.cpu) / 1000 };
  }

  /** What is retained now, in bytes, and the peak so far. */
  memory(): Figures {
    const peakRss = maxRss();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return {
      retainedHeap: heapUsed - this.heapBefore,
      retainedExternal: external - this.externalBefore,
      peakRss,
      rssBefore: this.rssBefore,
    };
  }
}

/**
 * Looks for the longest time between two turns of the event loop: by the clock, and by what this thread was really running for, since on a busy
 * machine others take its processor.
 */
export class BlockMeter {
  private readonly clock = new ThreadClock();
  private running = true;
  private lastWall = 0;
  private lastCpu = 0;
  private longestWall = 0;
  private longestCpu = 0;

  constructor() {
    this.lastWall = performance.now();
    this.lastCpu = this.clock.now();
    this.turn();
  }

  stop(): { readonly longestBlockMs: number; readonly longestBlockCpuMs: number } {
    this.look();
    this.running = false;
    this.clock.close();
    return { longestBlockMs: this.longestWall, longestBlockCpuMs: this.longestCpu };
  }

  private turn(): void {
    setImmediate(() => {
      if (!this.running) return;
      this.look();
      this.turn();
    });
  }

  private look(): void {
    const wall = performance.now();
    const cpu = this.clock.now();
    this.longestWall = Math.max(this.longestWall, wall - this.lastWall);
    this.longestCpu = Math.max(this.longestCpu, cpu - this.lastCpu);
    this.lastWall = wall;
    this.lastCpu = cpu;
  }
}
