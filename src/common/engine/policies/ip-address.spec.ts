import { describe, expect, it } from 'vitest';
import { formatAddress, normaliseAddress, parseAddress, tunnelledAddress } from './ip-address.js';

describe('an IP address', () => {
  it.each([
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::ffff:a9fe:a9fe', '169.254.169.254'],
    ['::FFFF:7F00:1', '127.0.0.1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[::1]', '::1'],
    ['2001:0DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:0:0:0:1', '2001:db8:0:1::1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['1:0:0:0:0:0:0:0', '1::'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['10:0:0:10::0', '10:0:0:10::'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1'],
  ])('%s is %s', (given, canonical) => {
    expect(normaliseAddress(given)).toBe(canonical);
  });

  it.each(['0177.0.0.1', '2130706433', '0x7f000001', '127.1', '10.0.0.1.evil.com', '', ':::', '1.2.3.4/8'])(
    'refuses %s',
    (text) => {
      expect(parseAddress(text)).toBeNull();
    },
  );

  it.each([
    ['64:ff9b::7f00:1', '127.0.0.1'],
    ['64:ff9b:1::a00:1', '10.0.0.1'],
    ['2002:a9fe:a9fe::1', '169.254.169.254'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', '192.0.2.45'],
    ['::7f00:1', '127.0.0.1'],
    ['fe80::5efe:c0a8:1', '192.168.0.1'],
  ])('%s carries %s', (outer, inner) => {
    const address = parseAddress(outer);
    const carried = address && tunnelledAddress(address);
    expect(carried && formatAddress(carried)).toBe(inner);
  });

  it.each(['::1', '::', '2001:db8::1', '10.0.0.1'])('%s carries nothing', (text) => {
    const address = parseAddress(text);
    expect(address && tunnelledAddress(address)).toBeNull();
  });
});
