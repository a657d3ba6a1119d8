import { formatFault } from '../../errors/fault.js';
import { machine } from '../../runtime/machine.js';

const CHARACTERS = '-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LONGEST = 70;

/** A boundary from the random source of the run, so that a replay gives the same. */
export function generateBoundary(length = LONGEST): string {
  if (!Number.isInteger(length) || length < 1 || length > LONGEST)
    throw formatFault(`A boundary has 1 to ${LONGEST} characters, not ${length}`);
  const random = machine.env.random ?? Math.random;
  return Array.from({ length }, () => CHARACTERS[Math.floor(random() * CHARACTERS.length)]).join('');
}

/** RFC 2046, 5.1.1. */
export function checkBoundary(boundary: string): string {
  if (!/^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary))
    throw formatFault(
      `${JSON.stringify(boundary)} is no boundary`,
      "it has 1 to 70 letters, digits and '()+_,-./:=?",
    );
  return boundary;
}
