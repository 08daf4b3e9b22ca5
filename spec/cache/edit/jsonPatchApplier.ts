import type { JsonPatchOperation } from '../../../src/cache/edit.js';

type Container = Record<string, unknown> | unknown[];

function set(container: Container, key: string, value: unknown, insert: boolean): void {
  if (!Array.isArray(container)) {
    Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
    return;
  }
  const at = key === '-' ? container.length : Number(key);
  if (!/^(-|0|[1-9]\d*)$/.test(key) || at > (insert ? container.length : container.length - 1)) throw new Error(`Bad index ${key}`);
  container.splice(at, insert ? 0 : 1, value);
}

function read(container: unknown, key: string): unknown {
  if (
    typeof container !== 'object' ||
    container === null ||
    !Object.hasOwn(container, key) ||
    (Array.isArray(container) && key === 'length')
  ) {
    throw new Error(`Nothing at ${key}`);
  }
  return (container as Record<string, unknown>)[key];
}

function remove(container: Container, key: string): void {
  read(container, key);
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else Reflect.deleteProperty(container, key);
}

/** Applies a JSON patch as RFC 6902 says, with its errors, to a copy. */
export function applyJsonPatch(document: unknown, patch: readonly JsonPatchOperation[]): unknown {
  const root = { '': JSON.parse(JSON.stringify(document)) as unknown };
  for (const operation of patch) {
    const tokens = operation.path.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
    const key = tokens.pop() ?? '';
    const container = tokens.reduce<unknown>(read, root) as Container;
    switch (operation.op) {
      case 'test':
        if (JSON.stringify(read(container, key)) !== JSON.stringify(operation.value)) throw new Error(`Test failed at ${operation.path}`);
        break;
      case 'remove':
        remove(container, key);
        break;
      case 'replace':
        read(container, key);
        set(container, key, JSON.parse(JSON.stringify(operation.value)), false);
        break;
      case 'add':
        set(container, key, JSON.parse(JSON.stringify(operation.value)), true);
        break;
    }
  }
  return root[''];
}
