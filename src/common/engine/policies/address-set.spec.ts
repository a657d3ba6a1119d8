import { describe, expect, it } from 'vitest';
import { AddressSet } from './address-set.js';
import { parseAddress } from './ip-address.js';
import { specialKind } from './special-addresses.js';

describe('a set of addresses', () => {
  const set = new AddressSet(['10.0.0.0/9', '192.0.2.7', '2001:db8::/33', '::ffff:172.16.0.0/108']);

  it.each(['10.0.0.0', '10.127.255.255', '::ffff:10.1.2.3', '192.0.2.7', '2001:db8:7fff::1', '172.31.0.1'])(
    'holds %s',
    (text) => {
      expect(set.has(text)).toBe(true);
    },
  );

  it.each([
    '10.128.0.0',
    '9.255.255.255',
    '192.0.2.8',
    '2001:db8:8000::',
    '172.32.0.1',
    '',
    'host',
    '::10.0.0.1',
  ])('does not hold "%s"', (text) => {
    expect(set.has(text)).toBe(false);
  });

  it('keeps 0.0.0.0/0 to IPv4', () => {
    expect(new AddressSet(['0.0.0.0/0']).has('2001:db8::1')).toBe(false);
    expect(new AddressSet(['0.0.0.0/0']).has('203.0.113.1')).toBe(true);
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'gateway',
    '10.0.0',
    '10.0.0.0/-1',
    '::ffff:10.0.0.0/8',
  ])('refuses the entry "%s" and says what to write', (entry) => {
    expect(() => new AddressSet([entry], 'ip_allowlist')).toThrow(/"ip_allowlist".*write an IP address/);
  });
});

describe('special networks', () => {
  it.each([
    ['127.8.8.8', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['169.254.169.254', 'link-local'],
    ['fd00:ec2::254', 'private'],
    ['100.100.100.200', 'private'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['2002:0a00:0001::', 'private'],
    ['0.0.0.0', 'unspecified'],
    ['255.255.255.255', 'reserved'],
    ['8.8.8.8', null],
    ['2606:4700::1111', null],
    ['2002:0808:0808::1', null],
  ])('%s is %s', (text, kind) => {
    const address = parseAddress(text);
    expect(address && specialKind(address)).toBe(kind);
  });
});
