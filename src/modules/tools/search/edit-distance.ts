/** How many typing mistakes a word of this length is forgiven: none in short ones, which would become other words. */
export function forgivenTypos(word: string): number {
  if (word.length >= 8) return 2;
  return word.length >= 4 ? 1 : 0;
}

/**
 * Whether at most `allowed` letters are missing, added, wrong or swapped with their neighbour (the optimal string
 * alignment distance), in O(length²) and less where the words soon differ.
 */
export function isWithin(one: string, other: string, allowed: number): boolean {
  if (Math.abs(one.length - other.length) > allowed || other.length >= rowLength) return false;
  let [before, last, next] = rows;
  for (let column = 0; column <= other.length; column += 1) last[column] = column;
  for (let row = 1; row <= one.length; row += 1) {
    next[0] = row;
    let least = row;
    const letter = one.charCodeAt(row - 1);
    for (let column = 1; column <= other.length; column += 1) {
      const facing = other.charCodeAt(column - 1);
      const replaced = at(last, column - 1) + (letter === facing ? 0 : 1);
      let cost = Math.min(at(last, column) + 1, at(next, column - 1) + 1, replaced);
      const isSwapped =
        row > 1 &&
        column > 1 &&
        letter === other.charCodeAt(column - 2) &&
        one.charCodeAt(row - 2) === facing;
      if (isSwapped) cost = Math.min(cost, at(before, column - 2) + 1);
      next[column] = cost;
      if (cost < least) least = cost;
    }
    if (least > allowed) return false;
    [before, last, next] = [last, next, before];
  }
  return at(last, other.length) <= allowed;
}

/** Longer words are not compared; nobody types them. */
const rowLength = 64;
const rows = [new Uint8Array(rowLength), new Uint8Array(rowLength), new Uint8Array(rowLength)] as const;

function at(row: Uint8Array, place: number): number {
  return row[place] as number;
}
