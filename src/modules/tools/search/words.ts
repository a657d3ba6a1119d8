/** Words so common in descriptions and questions that they tell nothing about which tool is meant. */
const stopWords = new Set(
  'a an and are as at be by can do for from how i in into is it its me my of on or our please that the this to want we what when which will with you your'.split(
    ' ',
  ),
);

/**
 * The words of a text, in lower case and in the singular; `camelCase`, `snake_case` and `kebab-case` fall apart.
 * Accents stay: `über` is not `uber`, but a typo away from it.
 */
export function wordsOf(text: string): string[] {
  const isAscii = !/[^\0-\x7f]/.test(text);
  // The Unicode classes cost ten times as much, which tells over a large catalogue.
  const words = isAscii
    ? text
        .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .match(/[a-z0-9]+/g)
    : text
        .normalize('NFKC')
        .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu);
  return words?.map(singular) ?? [];
}

/** The words that a search is about: each once, without stop words unless there are no others. */
export function askedWords(text: string): string[] {
  const words = [...new Set(wordsOf(text))];
  const telling = words.filter((word) => !stopWords.has(word));
  return telling.length > 0 ? telling : words;
}

/** English plurals, after Harman's S-stemmer: what it leaves wrong, it leaves wrong in the tool and the question alike. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s')) return word;
  if (word.endsWith('ies') && !/[ae]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|[cs]h)es$/.test(word)) return word.slice(0, -2);
  return /(?:us|ss|is)$/.test(word) ? word : word.slice(0, -1);
}
