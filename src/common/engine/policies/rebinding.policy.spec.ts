import { describe, expect, it } from 'vitest';
import type { Applicant } from '../api/policy.js';
import { AddressSet } from './address-set.js';
import { RebindingPolicy } from './rebinding.policy.js';

const applicant = (headers: Record<string, string>, peer = '127.0.0.1'): Applicant => ({
  peer,
  header: (name) => headers[name],
});
const policy = (init: { host?: string; origins?: string[]; trusted?: string[] } = {}): RebindingPolicy =>
  new RebindingPolicy({
    host: init.host ?? '127.0.0.1',
    origins: init.origins ?? [],
    trustedProxies: new AddressSet(init.trusted ?? []),
  });
const refused = 'ACCESS.CROSS_SITE_REQUEST';

describe('what listens on loopback', () => {
  it.each(['localhost:8080', 'LOCALHOST', '127.0.0.1:8080', '[::1]:8080', '127.9.9.9'])(
    'answers to %s',
    (host) => {
      expect(policy().admit(applicant({ host }))).toBeNull();
    },
  );

  it.each([
    'evil.example',
    '127.0.0.1.evil.com',
    'localhost.evil.com:8080',
    'localhost.',
    '2130706433',
    '10.0.0.1',
    '',
  ])('does not answer to "%s"', (host) => {
    expect(policy().admit(applicant({ host }))?.code).toBe(refused);
  });

  it('does not answer without a host', () => {
    expect(policy().admit(applicant({}))?.code).toBe(refused);
  });

  it.each(['null', 'http://evil.example', 'http://localhost.evil.com', 'http://localhost:5173', 'file://'])(
    'refuses a page of %s',
    (origin) => {
      expect(policy().admit(applicant({ host: 'localhost:8080', origin }))?.code).toBe(refused);
    },
  );

  it('refuses a page of its own host and port under another scheme', () => {
    const origin = 'https://localhost:8080';
    expect(policy().admit(applicant({ host: 'localhost:8080', origin }))?.code).toBe(refused);
    expect(policy({ origins: [origin] }).admit(applicant({ host: 'localhost:8080', origin }))).toBeNull();
  });

  it('takes its own pages and listed ones', () => {
    const open = policy({ origins: ['https://app.example.com'] });
    expect(open.admit(applicant({ host: 'localhost:8080', origin: 'http://localhost:8080' }))).toBeNull();
    expect(open.admit(applicant({ host: 'localhost:8080', origin: 'https://app.example.com' }))).toBeNull();
  });

  it('takes * for pages of this machine', () => {
    const open = policy({ origins: ['*'] });
    expect(open.admit(applicant({ host: 'localhost:8080', origin: 'http://localhost:5173' }))).toBeNull();
    expect(open.admit(applicant({ host: 'localhost:8080', origin: 'https://evil.example' }))?.code).toBe(
      refused,
    );
  });

  it('leaves the matter to a trusted proxy', () => {
    const behind = policy({ trusted: ['127.0.0.1'] });
    expect(
      behind.admit(applicant({ host: 'api.example.com', origin: 'https://app.example.com' })),
    ).toBeNull();
  });
});

describe('what listens to the world', () => {
  it('does not mind', () => {
    const open = policy({ host: '0.0.0.0' });
    expect(open.admit(applicant({ host: 'api.example.com', origin: 'https://app.example.com' }))).toBeNull();
  });
});
