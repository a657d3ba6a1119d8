/** Spellings of other languages, and how the same is said here; the first that stands at the place is meant. */
const HABITS: readonly (readonly [spelling: RegExp, hint: string])[] = [
  [/=>/y, 'a function is written (x) -> x'],
  [/->/y, 'the parameters of a function stand in parentheses: (x) -> x'],
  [/&&?/y, 'write "and"'],
  [/\|\|?/y, 'write "or"'],
  [/;/y, 'expressions are not ended: leave ";" out'],
  [/=/y, 'compare with "==", and declare a variable in the header: var name = value'],
  [/:/y, 'is a "," missing before this key?'],
  [/%(?!dw|sl)/y, 'the remainder is: a mod b'],
  [/\breturn\b/y, 'a function gives the value of its expression: leave "return" out'],
  [/\b(?:let|const)\b/y, 'declare a variable in the header: var name = value'],
];

/** What somebody who knows another language probably wanted at the place. */
export function habitHint(source: string, at: number): string | undefined {
  if (source[at] === '=' && /[=!]=$/.test(source.slice(Math.max(0, at - 2), at)))
    return 'values are compared with == and != only';
  return HABITS.find(([spelling]) => {
    spelling.lastIndex = at;
    return spelling.test(source);
  })?.[1];
}
