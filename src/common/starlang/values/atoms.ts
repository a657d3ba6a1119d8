import { Box } from './box.js';

/** Bytes, with what is known of their encoding. */
export class Binary extends Box {
  readonly typeName = 'Binary';
  constructor(readonly bytes: Uint8Array) {
    super();
  }

  text(encoding: BufferEncoding = 'utf8'): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength).toString(encoding);
  }
}

export class Uri extends Box {
  readonly typeName = 'Uri';
  constructor(readonly text: string) {
    super();
  }
}

/** A string that is written as a CDATA section. */
export class CData extends Box {
  readonly typeName = 'CData';
  constructor(readonly text: string) {
    super();
  }
}
