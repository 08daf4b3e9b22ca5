/** An object with a number. */
export interface Item {
  readonly metadata: { readonly name: string; readonly resourceVersion?: string };
  readonly n: number;
}

/** An object for specs of views. */
export const item = (name: string, n: number): Item => ({ metadata: { name }, n });
