import { describe, expect, it } from 'vitest';
import { Message } from '../../common/engine/model/message.js';
import { MessageHeaders } from '../../common/engine/model/message-headers.js';
import { blocksOf } from './content-blocks.js';

const of = (body: unknown, type?: string) =>
  blocksOf(new Message(body, new MessageHeaders(type === undefined ? {} : { 'Content-Type': type })));

describe('a reply in the blocks of MCP', () => {
  it('is bytes of an image or a sound', () => {
    const data = Buffer.from('x').toString('base64');
    expect(of(Buffer.from('x'), 'image/png; q=1')).toEqual({
      content: [{ type: 'image', data, mimeType: 'image/png' }],
    });
    expect(of(Buffer.from('x'), 'audio/wav')).toEqual({
      content: [{ type: 'audio', data, mimeType: 'audio/wav' }],
    });
    expect(of(Buffer.from('x'), 'application/pdf')).toBeNull();
    expect(of(Buffer.from('x'))).toBeNull();
  });

  it('is an object of sound blocks, and of nothing else', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'resource', resource: { uri: 'x://a', text: 'b' } },
      { type: 'resource_link', uri: 'x://a', name: 'a' },
    ];
    expect(of({ content, structuredContent: { n: 1 }, isError: true })).toEqual({
      content,
      structured: { n: 1 },
      isError: true,
    });
    expect(of({ content: [] })).toBeNull();
    expect(of({ content, author: 'me' })).toBeNull();
    expect(of({ content: [{ type: 'text' }] })).toBeNull();
    expect(of({ content: [{ type: 'image', data: 'eA==' }] })).toBeNull();
    expect(of({ content: 'a text' })).toBeNull();
    expect(of([{ type: 'text', text: 'a' }])).toBeNull();
  });
});
