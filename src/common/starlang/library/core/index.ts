import type { LibraryModule } from '../define.js';
import { collections } from './collections.js';
import { compatibility } from './compatibility.js';
import { dates } from './dates.js';
import { formats } from './formats.js';
import { numbers } from './numbers.js';
import { objects } from './objects.js';
import { ordering } from './ordering.js';
import { texts } from './texts.js';
import { values } from './values.js';

/** What needs no import. */
export const coreModule: LibraryModule = {
  name: 'dw::Core',
  functions: [
    ...collections,
    ...ordering,
    ...objects,
    ...texts,
    ...numbers,
    ...dates,
    ...values,
    ...formats,
    ...compatibility,
  ],
};
