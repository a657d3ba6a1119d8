import type { Ranges } from './char-set.js';

/** A parsed pattern. */
export type Pattern =
  | {
      kind: 'set';
      ranges: Ranges;
      /** `\p{…}` texts that ranges cannot hold. */ properties: string[];
      negated: boolean;
    }
  | { kind: 'anchor'; text: string }
  | { kind: 'group'; capture: boolean; name?: string; body: Pattern }
  | { kind: 'look'; sign: string; body: Pattern }
  | { kind: 'reference'; text: string }
  | { kind: 'repeat'; body: Pattern; min: number; max: number; lazy: boolean }
  | { kind: 'sequence'; items: Pattern[] }
  | { kind: 'choice'; items: Pattern[] };
