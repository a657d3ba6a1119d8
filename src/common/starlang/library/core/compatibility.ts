import { Fault } from '../../errors/fault.js';
import { didYouMean } from '../../errors/suggest.js';
import { fn } from '../define.js';

const PREFIX = 'com.mulesoft.dw.';

/**
 * What the peer's versions differ in, and how Starlang does it. The names are those of
 * https://docs.mulesoft.com/dataweave/latest/dataweave-system-properties.
 */
const FLAGS: ReadonlyMap<string, boolean> = new Map(
  Object.entries({
    date_minus_back_compatibility: false,
    'defaultOperator.disableExceptionHandling': false,
    legacySizeOfNumber: false,
    stableOrderBy: false,
    stripTrailingZeroes: true,
    'valueSelector.selectsAlwaysFirst': true,
    'xml.supportDTD': false,
    'xml_reader.honourMixedContentStructure': true,
    'xml_writer.declareXmlNamespace': true,
  }).map(([name, value]) => [PREFIX + name, value]),
);

export const compatibility = [
  fn(
    'evaluateCompatibilityFlag',
    'How Starlang does what a flag of the peer decides; it cannot be changed.',
    [['evaluateCompatibilityFlag("com.mulesoft.dw.stripTrailingZeroes")', 'true']],
    {
      '(flag: String): Boolean': (flag: string) => {
        const found = FLAGS.get(flag);
        if (found === undefined)
          throw new Fault('reference', `There is no flag "${flag}"`, didYouMean(flag, [...FLAGS.keys()]));
        return found;
      },
    },
  ),
];
