import { isObject, member, bare } from '../../values/objects.js';
import { textOf } from '../../values/text.js';
import type { PlainObject, Value } from '../../values/value.js';

/** A document type declaration: `<!DOCTYPE rootName PUBLIC "publicId" "systemId" [internalSubset]>`. */
export interface DocType {
  rootName: string;
  publicId?: string;
  systemId?: string;
  internalSubset?: string;
}

const FIELDS = ['publicId', 'systemId', 'internalSubset'] as const;

export function docTypeValue(docType: DocType): PlainObject {
  const value: PlainObject = { rootName: docType.rootName };
  for (const field of FIELDS) if (docType[field] !== undefined) value[field] = docType[field];
  return value;
}

/** The declaration an object stands for, undefined when it has no root name. */
export function docTypeOf(given: Value): DocType | undefined {
  const value = bare(given);
  if (!isObject(value)) return undefined;
  const text = (name: string) => {
    const found = member(value, name);
    return found === undefined || found === null ? undefined : textOf(found);
  };
  const rootName = text('rootName');
  if (rootName === undefined) return undefined;
  const docType: DocType = { rootName };
  for (const field of FIELDS) {
    const found = text(field);
    if (found !== undefined) docType[field] = found;
  }
  return docType;
}
