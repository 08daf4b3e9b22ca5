/** How a piece of text looks. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

/** A piece of text of one style; a text alone has none. */
export type Span = string | { readonly text: string; readonly style: Style | undefined };

/** A line of a terminal. */
export type Line = readonly Span[];
