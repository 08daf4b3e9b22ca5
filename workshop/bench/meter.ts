import type { Figures } from './runSide.js';
import { ThreadClock } from './threadClock.js';

function collect(): void {
  // Twice: the second collection frees objects that finalizers retained in the first.
  globalThis.gc?.();
  globalThis.gc?.();
}

/** The peak of resident memory in bytes. */
const maxRss = (): number => process.resourceUsage().maxRSS * 1024;

/** Measures an interval in this process: wall time, CPU time of all threads, memory before and after. */
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

  /** Starts the interval. */
  restart(): void {
    const { user, system } = process.cpuUsage();
    this.cpu = user + system;
    this.wall = performance.now();
  }

  /** Ends the interval. */
  times(): { readonly wallMs: number; readonly cpuMs: number } {
    const wallMs = performance.now() - this.wall;
    const { user, system } = process.cpuUsage();
    return { wallMs, cpuMs: (user + system - this.cpu) / 1000 };
  }

  /** The retained memory now and the peak so far, in bytes. */
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
 * Measures the longest time between two turns of the event loop, as wall time and as CPU time of the thread, since other processes may use
 * the processor.
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
