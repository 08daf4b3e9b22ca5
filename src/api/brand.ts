/** Makes `instanceof` recognize instances of the class from the other build of this package (ES modules, CommonJS), by a brand. A value that cannot be read is none. */
export function brand(owner: { readonly prototype: object }, name: string): void {
  const mark = Symbol.for(`rx-informer.${name}`);
  Object.defineProperty(owner.prototype, mark, { value: true });
  Object.defineProperty(owner, Symbol.hasInstance, {
    value: (value: unknown) => {
      try {
        return typeof value === 'object' && value !== null && mark in value;
      } catch {
        return false;
      }
    },
  });
}
