/** A number with its noun: `1 exchange`, `2 exchanges`. For nouns whose plural ends in s. */
export const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
