import type { Forbidding } from 'rx-informer/internal';

/** What the function of a view must not do. */
export function forbidding(view: string): Forbidding {
  return (what) => {
    const done =
      what === 'read'
        ? 'reads a lister or an indexer; only reads with `read` are tracked'
        : what === 'subscribe'
          ? 'subscribes to an informer or a view; read it with `read`, or subscribe outside'
          : `makes the ${what.make}; make it once, outside, and read it`;
    return new TypeError(`The function of the view ${view} ${done}`);
  };
}
