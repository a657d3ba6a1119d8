import { ValidateBy, ValidateIf } from 'class-validator';

/**
 * The property may be left out. Unlike `IsOptional` it does not let null through: null is a value, and the other
 * validators of the property judge it.
 */
export function Optional(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

/** A string of so many code points, as the contract counts; well-formed, without NUL. */
export function Text(bounds: { readonly min?: number; readonly max: number }): PropertyDecorator {
  const { min = 0, max } = bounds;
  const fits = (value: unknown) => {
    if (typeof value !== 'string' || value.includes('\0') || /\p{Surrogate}/u.test(value)) return false;
    // A string never has more code points than UTF-16 units, so most need no counting.
    const length = value.length < min ? value.length : countCodePoints(value);
    return length >= min && length <= max;
  };
  const message =
    min > 0
      ? `$property must be a string of ${min} to ${max} characters`
      : `$property must be a string of at most ${max} characters`;
  return ValidateBy({ name: 'text', validator: { validate: fits } }, { message });
}

/**
 * Text that an HTTP header can carry: no control characters, nothing beyond Latin-1 (RFC 9110, section 5.5). White space
 * at the ends, such as the line break of a copied line, is nobody's mistake: it is left off when a header is written.
 */
export function HeaderText(): PropertyDecorator {
  return ValidateBy(
    { name: 'headerText', validator: { validate: isHeaderText } },
    {
      message:
        '$property is sent in an HTTP header, which carries no line breaks and no characters beyond Latin-1: copy it again',
    },
  );
}

function isHeaderText(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const lines = value.split(/[\r\n]/).filter((line) => /[^\t ]/.test(line));
  return lines.length < 2 && lines.every((line) => /^[\t\x20-\x7e\x80-\xff]*$/.test(line));
}

/** An e-mail address in its usual form; whether it is somebody's, only a message to it can tell. */
export function EmailAddress(): PropertyDecorator {
  return ValidateBy(
    { name: 'email', validator: { validate: isEmailAddress } },
    { message: '$property must be an e-mail address' },
  );
}

function isEmailAddress(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 254 && /^[^\s@\0]{1,64}@[^\s@\0]+$/.test(value);
}

/** A whole number that JSON carries exactly, within bounds. */
export function WholeNumber(
  bounds: { readonly min?: number; readonly max?: number } = {},
): PropertyDecorator {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = bounds;
  return ValidateBy(
    {
      name: 'wholeNumber',
      validator: {
        validate: (value) =>
          Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
      },
    },
    { message: `$property must be a whole number from ${min} to ${max}` },
  );
}

export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
