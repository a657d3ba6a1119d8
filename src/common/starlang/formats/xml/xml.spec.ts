import { describe, expect, it } from 'vitest';
import { compile, readText, toPlain, writeText } from '../../index.js';

const run = (script: string, payload: unknown = null) => compile(script).run({ payload }).text();
const read = (text: string, options = {}) => readText(text, 'application/xml', options);
const compact = (value: unknown, options = {}) =>
  writeText(value, 'application/xml', { indent: false, writeDeclaration: false, ...options });
const problem = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing was thrown');
};

const nulls = (options: string) =>
  `output xml indent=false, writeDeclaration=false${options} --- a: {b @(c: null): null, d: ""}`;

describe('the XML reader', () => {
  it('keeps repeated elements, attributes and order', () => {
    const value = read('<r><b x="1">one</b><a/><b>two</b></r>');
    expect(run('output json indent=false --- payload', value)).toBe('{"r":{"b":"one","a":null,"b":"two"}}');
    expect(run('output json indent=false --- payload.r.*b', value)).toBe('["one","two"]');
    expect(run('output json --- payload.r.b.@x', value)).toBe('"1"');
  });

  it('reads mixed content as __text entries in their places', () => {
    const value = read('<p>see <b>this</b> now</p>');
    expect(run('output json indent=false --- payload', value)).toBe(
      '{"p":{"__text":"see ","b":"this","__text":" now"}}',
    );
  });

  it('keeps CDATA sections apart from text', () => {
    const value = read('<p>\n  <![CDATA[a < b ]]>\n</p>');
    expect(run('output json --- typeOf(payload.p) as String', value)).toBe('"CData"');
    expect(run('output json --- upper(payload.p)', value)).toBe('"A < B "');
    expect(compact(value)).toBe('<p><![CDATA[a < b ]]></p>');
    expect(toPlain(read('<p>x<![CDATA[<]]>y</p>'))).toEqual({ p: 'x<y' });
  });

  it('selects by namespace whatever the prefix', () => {
    const value = read('<o:a xmlns:o="urn:x"><b xmlns="urn:y">1</b></o:a>');
    expect(run('ns p urn:x\nns q urn:y\noutput json --- payload.p#a.q#b', value)).toBe('"1"');
    expect(run('ns p urn:z\noutput json --- payload.p#a', value)).toBe('null');
  });

  it('takes blank, empty or no texts for null as asked', () => {
    const text = '<r><a></a><b>  </b></r>';
    expect(toPlain(read(text))).toEqual({ r: { a: null, b: null } });
    expect(toPlain(read(text, { nullValueOn: 'empty' }))).toEqual({ r: { a: null, b: '  ' } });
    expect(toPlain(read(text, { nullValueOn: 'none' }))).toEqual({ r: { a: '', b: '  ' } });
    const nil = '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true">x</a>';
    expect(toPlain(read(nil))).toEqual({ a: null });
  });

  it('resolves character references and refuses what is none', () => {
    expect(toPlain(read('<a b="&#x41;&amp;&#10;">&lt;&#128512;</a>'))).toEqual({ a: '<😀' });
    expect(problem(() => read('<a>&nope;</a>'))).toContain('"&nope;" is not declared at line 1, column 4');
    expect(problem(() => read('<a>R&D</a>'))).toContain('write &amp;');
    expect(problem(() => read('<a>&#0;</a>'))).toContain('no character of XML');
  });

  it('expands no entity of a document type unless told, and never an outer one', () => {
    const text = '<!DOCTYPE a [<!ENTITY x "yes"><!ENTITY f SYSTEM "file:///etc/passwd">]><a>&x;</a>';
    expect(problem(() => read(text))).toContain('supportDtd=true');
    expect(toPlain(read(text, { supportDtd: true }))).toEqual({ a: 'yes' });
    expect(problem(() => read(text.replace('&x;', '&f;'), { supportDtd: true }))).toContain('not declared');
    expect(problem(() => read(text.replace('&x;', '&x;&x;'), { supportDtd: true }))).toContain('more than 1');
    const bomb = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;">]><a>&y;</a>';
    expect(problem(() => read(bomb, { supportDtd: true }))).toContain('holds markup or other entities');
    expect(problem(() => read('<a/>', { externalEntities: true }))).toContain('never read');
  });

  it('keeps the document type as metadata of the root, and writes it again', () => {
    const value = read('<!DOCTYPE note PUBLIC "-//X//Y" "note.dtd"><note/>');
    expect(run('output json --- payload.^docType.systemId', value)).toBe('"note.dtd"');
    expect(compact(value)).toBe('<!DOCTYPE note PUBLIC "-//X//Y" "note.dtd"><note/>');
  });

  it.each([
    ['<a><b></a>', '"</a>" closes "<b>"', 'line 1, column 7'],
    ['<a>\n  <b x=1/>\n</a>', 'in quotes', 'line 2, column 8'],
    ['<a x="1" x="2"/>', 'given twice', 'line 1, column 10'],
    ['<a/><b/>', 'expected the end of the document', 'line 1, column 5'],
    ['<p:a/>', 'prefix "p" is not declared', 'line 1, column 1'],
    ['<a>', 'not closed', 'line 1, column 4'],
    ['hello', 'expected the root element', 'line 1, column 1'],
    ['<a>]]></a>', '"]]>" outside', 'line 1, column 4'],
    ['<a>\u0001</a>', 'does not allow', 'line 1, column 4'],
    [' <?xml version="1.0"?><a/>', 'very first', 'line 1, column 2'],
  ])('says where %j is wrong', (text, message, place) => {
    const said = problem(() => read(text));
    expect(said).toContain(message);
    expect(said).toContain(place);
    expect(said).toContain('^');
  });

  it('refuses bombs of depth and attributes', () => {
    expect(problem(() => read('<a>'.repeat(100_000)))).toContain('nested deeper');
    const many = Array.from({ length: 2000 }, (_, i) => `a${i}="1"`).join(' ');
    expect(problem(() => read(`<a ${many}/>`))).toContain('more than 1000 attributes');
    expect(problem(() => read(`<a b="${'x'.repeat(100)}"/>`, { maxAttributeSize: 50 }))).toContain(
      'longer than 50',
    );
  });

  it('reads keys of Object.prototype as any other', () => {
    const value = read('<r><__proto__ a="1">x</__proto__><constructor>y</constructor></r>');
    expect(run('output json indent=false --- payload.r', value)).toBe('{"__proto__":"x","constructor":"y"}');
    expect(({} as Record<string, unknown>).a).toBeUndefined();
    expect(run('output json --- payload.r.toString', value)).toBe('null');
  });

  it('decodes bytes by their own declaration', () => {
    const bytes = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1');
    expect(toPlain(readText(bytes, 'application/xml'))).toEqual({ a: 'é' });
  });
});

describe('the XML writer', () => {
  it('indents, declares and repeats keys for arrays', () => {
    expect(writeText({ r: { i: [1, 2], e: [] } }, 'xml')).toBe(
      "<?xml version='1.0' encoding='UTF-8'?>\n<r>\n  <i>1</i>\n  <i>2</i>\n</r>",
    );
  });

  it('needs one root element and names', () => {
    expect(problem(() => compact({ a: 1, b: 2 }))).toContain('the object has 2 (a, b)');
    expect(problem(() => compact('x'))).toContain('root: …');
    expect(problem(() => compact({ a: [1, 2] }))).toContain('array of 2');
    expect(problem(() => compact({ 'a b': 1 }))).toContain('"a b" is no name');
    expect(problem(() => compact({ 'a><b': 1 }))).toContain('is no name');
  });

  it('escapes texts and attributes, and CDATA cannot end itself', () => {
    expect(run('output xml indent=false, writeDeclaration=false --- a @(q: "<\\"&\\n"): "a<b>&]]>"')).toBe(
      '<a q="&lt;&quot;&amp;&#10;">a&lt;b>&amp;]]&gt;</a>',
    );
    expect(run('output xml writeDeclaration=false --- a: "x]]>y" as CData')).toBe(
      '<a><![CDATA[x]]]]><![CDATA[>y]]></a>',
    );
    expect(compact({ a: 'a>\r' }, { escapeGT: true, escapeCR: true })).toBe('<a>a&gt;&#13;</a>');
  });

  it('declares a namespace where it is first needed', () => {
    const script =
      'ns p urn:p\noutput xml indent=false, writeDeclaration=false\n---\nr: {p#a @(p#x: 1): {p#b: 2}, p#c: 3}';
    expect(run(script)).toBe(
      '<r><p:a p:x="1" xmlns:p="urn:p"><p:b>2</p:b></p:a><p:c xmlns:p="urn:p">3</p:c></r>',
    );
    expect(run(script.replace('indent=false', 'indent=false, writeDeclaredNamespaces=true'))).toBe(
      '<r xmlns:p="urn:p"><p:a p:x="1"><p:b>2</p:b></p:a><p:c>3</p:c></r>',
    );
    expect(compact({ r: { a: 1 } }, { defaultNamespace: 'urn:d' })).toBe('<r xmlns="urn:d"><a>1</a></r>');
  });

  it.each([
    ['All', '<r xmlns:p="urn:p" xmlns:q="urn:q"><p:a/><q:b/></r>'],
    ['ids:q, z', '<r xmlns:q="urn:q"><p:a xmlns:p="urn:p"/><q:b/></r>'],
    ['regex:.*:p', '<r xmlns:p="urn:p"><p:a/><q:b xmlns:q="urn:q"/></r>'],
    ['false', '<r><p:a xmlns:p="urn:p"/><q:b xmlns:q="urn:q"/></r>'],
  ])('declares at the root what writeDeclaredNamespaces=%s names', (which, text) => {
    const options = `indent=false, writeDeclaration=false, writeDeclaredNamespaces="${which}"`;
    expect(run(`ns p urn:p\nns q urn:q\noutput xml ${options}\n---\nr: {p#a: null, q#b: null}`)).toBe(text);
  });

  it('refuses another word for writeDeclaredNamespaces', () => {
    expect(() => run('output xml writeDeclaredNamespaces="Some" --- a: 1')).toThrow(/ids:PREFIX/);
  });

  it('gives another prefix to a second namespace of the same one', () => {
    const script =
      'var one = {prefix: "n", uri: "urn:1"} as Namespace\nvar two = {prefix: "n", uri: "urn:2"} as Namespace\n' +
      'output xml indent=false, writeDeclaration=false\n---\n{one#a @(two#b: 1): null}';
    const text = run(script);
    expect(run('ns x urn:1\nns y urn:2\noutput json --- payload.x#a.@y#b', read(text))).toBe('"1"');
  });

  it('leaves a default namespace where a name has none', () => {
    const value = read('<r xmlns="urn:d"><a/></r>');
    expect(compact(value)).toBe('<r xmlns="urn:d"><a/></r>');
    expect(
      run(
        'output xml indent=false, writeDeclaration=false --- payload mapObject (v, k) -> {(k): {a: 1}}',
        value,
      ),
    ).toBe('<r xmlns="urn:d"><a xmlns="">1</a></r>');
  });

  it('writes nulls as asked', () => {
    expect(run(nulls(''))).toBe('<a><b c=""/><d/></a>');
    expect(run(nulls(', inlineCloseOn="none"'))).toBe('<a><b c=""></b><d></d></a>');
    expect(run(nulls(', skipNullOn="elements"'))).toBe('<a><d/></a>');
    expect(run(nulls(', skipNullOn="attributes"'))).toBe('<a><b/><d/></a>');
    expect(run(nulls(', skipNullOn="everywhere"'))).toBe('<a><d/></a>');
    expect(run(nulls(', writeNilOnNull=true'))).toContain('xsi:nil="true"');
    expect(toPlain(read(run(nulls(', writeNilOnNull=true')), { nullValueOn: 'none' }))).toEqual({
      a: { b: null, d: '' },
    });
  });

  it('treats invalid characters as asked', () => {
    expect(problem(() => compact({ a: 'x\u0001' }))).toContain('onInvalidChar');
    expect(compact({ a: 'x\u0001' }, { onInvalidChar: 'ignore' })).toBe('<a>x</a>');
    expect(compact({ a: 'x\u0001' }, { onInvalidChar: 'base64' })).toBe('<a>eAE=</a>');
  });

  it('writes what a narrow encoding lacks as references', () => {
    const bytes = Buffer.from(writeText({ a: 'é😀' }, 'xml', { encoding: 'US-ASCII', indent: false }));
    expect(bytes.toString('latin1')).toBe("<?xml version='1.0' encoding='US-ASCII'?><a>&#233;&#128512;</a>");
  });

  it('writes dates and numbers in the format they were given', () => {
    const script =
      'output xml indent=false, writeDeclaration=false --- a: {n: 58 as Number {format: "##.00"}, d: |2024-05-06| as Date {format: "dd/MM/yyyy"}}';
    expect(run(script)).toBe('<a><n>58.00</n><d>06/05/2024</d></a>');
  });

  it('writes what it read the same', () => {
    const text =
      '<r a="1" xmlns:x="urn:x"><x:i x:k="&lt;">one &amp; two</x:i><i/><p>t<b>u</b>v</p><![CDATA[]]></r>'.replace(
        '<![CDATA[]]>',
        '',
      );
    const once = compact(read(text));
    expect(compact(read(String(once)))).toBe(once);
    expect(toPlain(read(String(once)))).toEqual(toPlain(read(text)));
  });
});
