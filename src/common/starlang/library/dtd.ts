import { typeFault } from '../errors/fault.js';
import { docTypeOf } from '../formats/xml/doc-type.js';
import { simpleType } from '../values/type-value.js';
import type { Value } from '../values/value.js';
import { fn, type LibraryModule } from './define.js';

export const dtd: LibraryModule = {
  name: 'dw::xml::Dtd',
  types: { DocType: simpleType('Object') },
  functions: [
    fn(
      'docTypeAsString',
      'A document type declaration as a text.',
      [['dw::xml::Dtd::docTypeAsString({rootName: "note", systemId: "note.dtd"})', '"note SYSTEM note.dtd"']],
      {
        '(docType: Object): String': (given: Value) => {
          const docType = docTypeOf(given);
          if (!docType) throw typeFault('A document type needs "rootName"');
          const { rootName, publicId, systemId, internalSubset } = docType;
          const id =
            publicId === undefined ? (systemId === undefined ? [] : ['SYSTEM']) : ['PUBLIC', publicId];
          const subset = internalSubset === undefined ? [] : [`[${internalSubset}]`];
          return [rootName, ...id, ...(systemId === undefined ? [] : [systemId]), ...subset].join(' ');
        },
      },
    ),
  ],
};
