/** Has `instanceof` know the instances of a class by a brand, so that those of the other build of this package (ES modules, CommonJS) count too. */
export function brand(owner: { readonly prototype: object }, name: string): void {
  const mark = Symbol.for(`rx-informer.${name}`);
  Object.defineProperty(owner.prototype, mark, { value: true });
  Object.defineProperty(owner, Symbol.hasInstance, {
    value: (value: unknown) => typeof value === 'object' && value !== null && mark in value,
  });
}
