import type { DocType } from './doc-type.js';
import type { XmlSource } from './xml-source.js';

/** Comments, processing instructions and white space. */
export function skipMisc(source: XmlSource): void {
  for (;;) {
    source.blanks();
    if (source.starts('<!--')) skipComment(source);
    else if (source.starts('<?')) skipInstruction(source);
    else return;
  }
}

export function skipComment(source: XmlSource): void {
  const from = source.at;
  source.at += 4;
  const text = source.upTo('-->', 'a comment');
  if (text.includes('--') || text.endsWith('-')) source.fail('"--" inside of a comment', from);
}

export function skipInstruction(source: XmlSource): void {
  const from = source.at;
  source.at += 2;
  const target = source.name('the target of a processing instruction');
  if (target.toLowerCase() === 'xml') {
    if (from > 0) source.fail('the XML declaration must be the very first thing', from);
    const text = source.upTo('?>', 'the XML declaration');
    if (!/^\s+version\s*=\s*(?:"1\.\d+"|'1\.\d+')/.test(text))
      source.fail('an XML declaration without version', from);
    return;
  }
  source.upTo('?>', 'a processing instruction');
}

/** What stands before the root element; the document type when there is one. */
export function readProlog(source: XmlSource, readsDtd: boolean): DocType | undefined {
  skipMisc(source);
  if (!source.starts('<!DOCTYPE')) return undefined;
  source.at += 9;
  if (!source.blanks()) source.fail('expected a blank after <!DOCTYPE');
  const docType: DocType = { rootName: source.name('the name of the root element') };
  source.blanks();
  if (source.starts('PUBLIC')) {
    source.at += 6;
    source.blanks();
    docType.publicId = source.quoted('the public id');
    source.blanks();
    if (!source.starts('[') && !source.starts('>')) docType.systemId = source.quoted('the system id');
  } else if (source.starts('SYSTEM')) {
    source.at += 6;
    source.blanks();
    docType.systemId = source.quoted('the system id');
  }
  source.blanks();
  if (source.starts('[')) docType.internalSubset = readSubset(source, readsDtd);
  source.blanks();
  source.expect('>');
  skipMisc(source);
  return docType;
}

/** `[ … ]`: declarations are skipped; with `readsDtd` the texts of internal entities are kept. */
function readSubset(source: XmlSource, readsDtd: boolean): string {
  const from = ++source.at;
  for (;;) {
    skipMisc(source);
    if (source.starts(']')) break;
    if (source.starts('%')) {
      source.at++;
      source.upTo(';', 'a parameter entity');
    } else if (source.starts('<!ENTITY')) readEntity(source, readsDtd);
    else if (source.starts('<!')) skipDeclaration(source);
    else source.fail(`expected a declaration or "]" but found ${source.found()}`);
  }
  return source.text.slice(from, source.at++).trim();
}

/** To the `>` outside of quotes. */
function skipDeclaration(source: XmlSource): void {
  const from = source.at;
  for (; source.at < source.text.length; source.at++) {
    const c = source.text[source.at];
    if (c === '>') {
      source.at++;
      return;
    }
    if (c === '"' || c === "'") {
      source.at++;
      source.upTo(c, 'a text in quotes');
      source.at--;
    }
  }
  source.fail('a declaration has no end (">")', from);
}

function readEntity(source: XmlSource, readsDtd: boolean): void {
  const from = source.at;
  const found = /<!ENTITY\s+([^\s%"'<>]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/y;
  found.lastIndex = from;
  const match = found.exec(source.text);
  if (!match) {
    // Parameter and external entities are never read.
    skipDeclaration(source);
    return;
  }
  source.at = found.lastIndex;
  const [, name, double, single] = match;
  const text = double ?? single ?? '';
  if (!readsDtd || source.declared.has(name as string)) return;
  if (/[<%]|&(?!#|(?:amp|lt|gt|quot|apos);)/.test(text))
    source.fail('an entity that holds markup or other entities', from, 'only plain text is expanded');
  source.declared.set(name as string, source.resolved(text, from));
}
