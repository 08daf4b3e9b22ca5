import { inProduction } from '../../api/inProduction.js';

/** Errors that say already who called: one failure to connect may be that of several calls. */
const known = new WeakSet<Error>();

/** Adds the frames of a call to the stack of its error, which has frames of this library only. */
function addCaller(error: unknown, call: Error): void {
  if (!(error instanceof Error) || known.has(error)) return;
  known.add(error);
  const frames = (call.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  if (frames.length > 0) error.stack = [error.stack ?? String(error), ...frames].join('\n');
}

type Method = (this: void, ...args: never[]) => unknown;

function called(method: Method): Method {
  return function call(...args) {
    const result = method(...args);
    if (!(result instanceof Promise)) return result;
    const from = new Error();
    // Only V8 has it, and only its stacks are read.
    (Error as Partial<Pick<typeof Error, 'captureStackTrace'>>).captureStackTrace?.(from, call);
    return result.catch((error: unknown) => {
      addCaller(error, from);
      throw error;
    });
  };
}

/** Methods whose rejections have the caller's frames in their stacks, unless in production. */
export function withCallers<Methods extends object>(methods: Methods): Methods {
  if (inProduction()) return methods;
  const entries = Object.entries(methods).map(([name, member]: [string, unknown]) => [
    name,
    typeof member === 'function' ? called(member as Method) : typeof member === 'object' && member !== null ? withCallers(member) : member,
  ]);
  return Object.fromEntries(entries) as Methods;
}
