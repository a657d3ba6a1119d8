import { types } from 'pg';

type Parser = (text: string) => unknown;

/** Digits that a number keeps on its way through a double, whatever they are. */
const exactDigits = 15;

const whole: Parser = (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text);

const decimal: Parser = (text) => {
  const digits = text.replace(/^-?0*\.?0*|[^\d]/g, '');
  return digits.length <= exactDigits && Number.isFinite(Number(text)) ? Number(text) : text;
};

/** `2025-01-31 10:00:00.123456+02` as ISO 8601, no digit lost; `infinity` and years before Christ stay as they are. */
const instant: Parser = (text) => {
  const found = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:([+-]\d\d)(?::?(\d\d))?)?$/.exec(text);
  if (!found) return text;
  const [, date, time, hours, minutes = '00'] = found;
  const zone = hours === undefined ? '' : hours === '+00' && minutes === '00' ? 'Z' : `${hours}:${minutes}`;
  return `${date}T${time}${zone}`;
};

const asText: Parser = (text) => text;

/** By type, with the type of its arrays. */
const rows: readonly (readonly [type: number, array: number, parser: Parser])[] = [
  [20, 1016, whole],
  [1700, 1231, decimal],
  [1082, 1182, asText],
  [1083, 1183, asText],
  [1266, 1270, asText],
  [1186, 1187, asText],
  [1114, 1115, instant],
  [1184, 1185, instant],
  [600, 1017, asText],
  [718, 719, asText],
];

/** Any type by its number, not only those that the library has a name for. */
const standard = types as unknown as { getTypeParser(oid: number, format?: string): Parser };

const textArray = standard.getTypeParser(1009);
const parsers = new Map<number, Parser>(
  rows.flatMap(([type, array, parser]) => [
    [type, parser],
    [array, (text) => eachOf(textArray(text), parser)],
  ]),
);

function eachOf(value: unknown, parser: Parser): unknown {
  if (Array.isArray(value)) return value.map((item) => eachOf(item, parser));
  return typeof value === 'string' ? parser(value) : value;
}

/**
 * How values of the database become data. Whole numbers and decimals are numbers as long as no digit is lost, else
 * text; dates and times are text in ISO 8601 with all their digits.
 */
export const resultTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): Parser =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? standard.getTypeParser(oid, format),
};
