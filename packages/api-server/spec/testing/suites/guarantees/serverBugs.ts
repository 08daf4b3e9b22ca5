import type { BodyWriter, HookedRequest, ServerHooks } from '../../../../src/hooks.js';
import type { WatchFrame, WatchSink } from '../../../../src/watch/watchSink.js';
import type { WatchGuarantee } from 'rx-informer/internal';
import type { AnyJson } from '../../../support/httpClient.js';

/** A mistake that an API server could make, and the guarantee that it breaks. */
export interface ServerBug {
  readonly breaks: WatchGuarantee;
  readonly hooks: () => ServerHooks;
}

interface Line {
  readonly type: string;
  readonly object: AnyJson;
}

const read = ({ parts }: WatchFrame): Line => JSON.parse(Buffer.concat([...parts]).toString()) as Line;
const written = (frame: WatchFrame, change: (line: Line) => Line): WatchFrame => ({
  ...frame,
  parts: [Buffer.from(`${JSON.stringify(change(read(frame)))}\n`)],
});
const withMeta = ({ type, object }: Line, metadata: object): Line => ({
  type,
  object: { ...object, metadata: { ...object.metadata, ...metadata } },
});
const isData = ({ type }: WatchFrame): boolean => type !== 'BOOKMARK' && type !== 'ERROR';
const isMarker = (frame: WatchFrame): boolean => frame.type === 'BOOKMARK' && read(frame).object.metadata.annotations !== undefined;

/** A filter between the server and each watch: a function of the frames, new for each watch. */
function onFrames(make: (request: HookedRequest) => (frame: WatchFrame) => readonly WatchFrame[]): ServerHooks {
  return {
    wrapWatch: (request, sink): WatchSink => {
      const change = make(request);
      const wrapped: WatchSink = {
        send: (frames) => {
          const changed = frames.flatMap((frame) => [...change(frame)]);
          return changed.length === 0 || sink.send(changed);
        },
        end: () => sink.end(),
        destroy: () => sink.destroy(),
        onDrain: undefined,
        onClose: undefined,
      };
      sink.onDrain = () => wrapped.onDrain?.();
      sink.onClose = () => wrapped.onClose?.();
      return wrapped;
    },
  };
}

/** The same for the fifth frame that satisfies a condition, and for every fifth one after it. */
function onEveryFifth(condition: (frame: WatchFrame) => boolean, change: (frame: WatchFrame) => readonly WatchFrame[]): ServerHooks {
  return onFrames(() => {
    let count = 0;
    return (frame) => (condition(frame) && (count += 1) % 5 === 0 ? change(frame) : [frame]);
  });
}

/** Exchanges the sixth frame about an object with the one after it. */
function swapping(): ServerHooks {
  return onFrames(() => {
    let count = 0;
    let held: WatchFrame | undefined;
    return (frame) => {
      if (!isData(frame)) return [frame];
      count += 1;
      if (count === 6) {
        held = frame;
        return [];
      }
      const frames = held === undefined ? [frame] : [frame, held];
      held = undefined;
      return frames;
    };
  });
}

const continues = ({ query }: HookedRequest): boolean => /resourceVersion=[1-9]/.test(query);

/** Resumed watches omit their first events. */
function skippingFirst(): ServerHooks {
  return onFrames((request) => {
    let skipped = !continues(request);
    return (frame) => {
      if (skipped || !isData(frame)) return [frame];
      skipped = true;
      return [];
    };
  });
}

/** Resumed watches begin with the last event of the previous one. */
function repeatingLast(): ServerHooks {
  const lasts = new Map<string, WatchFrame>();
  return onFrames((request) => {
    const id = `${request.path} ${/labelSelector=[^&]*/.exec(request.query)?.[0] ?? ''}`;
    let again = continues(request) ? lasts.get(id) : undefined;
    return (frame) => {
      if (!isData(frame)) return [frame];
      const frames = again === undefined || again.resourceVersion >= frame.resourceVersion ? [frame] : [again, frame];
      again = undefined;
      lasts.set(id, frame);
      return frames;
    };
  });
}

/** The bookmark that marks the end comes before the last initial event. */
function markingEarly(): ServerHooks {
  return onFrames(() => {
    let held: WatchFrame | undefined;
    let marked = false;
    return (frame) => {
      if (marked || frame.type === 'ERROR') return [frame];
      marked = isMarker(frame);
      const before = held;
      held = marked ? undefined : frame;
      return before === undefined ? (marked ? [frame] : []) : marked ? [frame, before] : [before];
    };
  });
}

/** Lists say that they are newer than they are. */
function listsTooNew(): ServerHooks {
  const later = (writer: BodyWriter): BodyWriter => {
    const parts: Buffer[] = [];
    return {
      write: (bytes) => {
        parts.push(bytes);
        return Promise.resolve();
      },
      end: () => {
        const list = JSON.parse(Buffer.concat(parts).toString()) as AnyJson;
        const resourceVersion = String(Number(list.metadata.resourceVersion) + 3);
        void writer
          .write(Buffer.from(JSON.stringify({ ...list, metadata: { ...list.metadata, resourceVersion } })))
          .then(() => writer.end());
      },
    };
  };
  return { wrapBody: ({ verb, path }) => (verb === 'list' && path.endsWith('configmaps') ? later : undefined) };
}

/** Mistakes by name. */
export const serverBugs: Readonly<Record<string, ServerBug>> = {
  'an event is lost': { breaks: 'Reliable', hooks: () => onEveryFifth(isData, () => []) },
  'an event is sent twice': { breaks: 'Unique', hooks: () => onEveryFifth(isData, (frame) => [frame, frame]) },
  'two events change places': { breaks: 'Ordered', hooks: swapping },
  'an object outside of the selection is sent': {
    breaks: 'Filter',
    hooks: () => onEveryFifth(isData, (frame) => [written(frame, (line) => withMeta(line, { labels: { side: 'right' } }))]),
  },
  'an object that is new to the selection is sent as MODIFIED': {
    breaks: 'IsCreate',
    hooks: () =>
      onEveryFifth(
        ({ type }) => type === 'ADDED',
        (frame) => [written(frame, ({ object }) => ({ type: 'MODIFIED', object }))],
      ),
  },
  'a change is sent as ADDED': {
    breaks: 'IsCreate',
    hooks: () =>
      onEveryFifth(
        ({ type }) => type === 'MODIFIED',
        (frame) => [written(frame, ({ object }) => ({ type: 'ADDED', object }))],
      ),
  },
  'a deleted object is sent as it never was': {
    breaks: 'PrevKV',
    hooks: () =>
      onFrames(
        () => (frame) =>
          frame.type === 'DELETED' ? [written(frame, (line) => withMeta(line, { labels: { side: 'left', step: 'never' } }))] : [frame],
      ),
  },
  'a bookmark is ahead of its events': {
    breaks: 'Bookmarkable',
    hooks: () =>
      onEveryFifth(isData, (frame) => [
        {
          ...written(frame, (line) => ({ ...withMeta(line, { resourceVersion: String(frame.resourceVersion + 2) }), type: 'BOOKMARK' })),
          type: 'BOOKMARK',
        },
        frame,
      ]),
  },
  'a bookmark falls back': {
    breaks: 'Bookmarkable',
    hooks: () =>
      onEveryFifth(isData, (frame) => [
        frame,
        {
          ...written(frame, (line) => ({ ...withMeta(line, { resourceVersion: String(frame.resourceVersion - 3) }), type: 'BOOKMARK' })),
          type: 'BOOKMARK',
        },
      ]),
  },
  'a watch that continues leaves its first event out': { breaks: 'Resumable', hooks: skippingFirst },
  'a watch that continues repeats the last event': { breaks: 'Resumable', hooks: repeatingLast },
  'the initial events are marked as complete too early': { breaks: 'Atomic', hooks: markingEarly },
  'a list says that it is newer than it is': { breaks: 'Atomic', hooks: listsTooNew },
};
