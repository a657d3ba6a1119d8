import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Keyring } from './keyring.js';
import { PageCursors } from './page-cursors.js';

const position = {
  createdAt: '2026-11-30 18:00:00.123456',
  id: 'call_0196a0b0-0000-7000-8000-000000000001',
};
const filter = { organizationId: 'org_1', projectId: null };
const list = { list: 'tool-calls', filter };
const old = { id: 'old', key: randomBytes(32) };
const cursors = new PageCursors(new Keyring([old]));

describe('cursors', () => {
  it('give back the position with its microseconds', () => {
    expect(cursors.read(cursors.write(position, list), list)).toEqual(position);
  });

  it('are refused for another list, another workspace and another filter', () => {
    const cursor = cursors.write(position, list);
    for (const other of [
      { ...list, list: 'audit-log' },
      { ...list, filter: { ...filter, organizationId: 'org_2' } },
      { ...list, filter: { ...filter, projectId: 'prj_1' } },
    ])
      expect(() => cursors.read(cursor, other)).toThrow(/does not belong to this list/);
  });

  it('are refused after any change, and when made up', () => {
    const cursor = cursors.write(position, list);
    for (let place = 0; place < cursor.length; place += 1) {
      const changed = cursor.slice(0, place) + (cursor[place] === 'A' ? 'B' : 'A') + cursor.slice(place + 1);
      expect(() => cursors.read(changed, list)).toThrow(/does not belong/);
    }
    for (const text of ['', 'x', `${cursor}=`, `${cursor} `, '😀'.repeat(400)])
      expect(() => cursors.read(text, list)).toThrow(/does not belong/);
  });

  it('outlive a rotation of the keyring as long as the old key is in it', () => {
    const cursor = cursors.write(position, list);
    const renewed = new PageCursors(new Keyring([{ id: 'new', key: randomBytes(32) }, old]));
    expect(renewed.read(cursor, list)).toEqual(position);
    expect(() =>
      new PageCursors(new Keyring([{ id: 'old', key: randomBytes(32) }])).read(cursor, list),
    ).toThrow(/does not belong/);
  });
});
