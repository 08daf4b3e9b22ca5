interface MaybeNodeProcess {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/** Whether NODE_ENV says that the program is in production; false where there is no such variable. */
export function inProduction(): boolean {
  return (globalThis as MaybeNodeProcess).process?.env?.['NODE_ENV'] === 'production';
}
