/** A number with its word, such as `1 pod` and `2 pods`. */
export const counted = (count: number, what: string): string => `${String(count)} ${what}${count === 1 ? '' : 's'}`;
