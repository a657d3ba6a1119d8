import { describe, expect, it } from 'vitest';
import type { Component } from '../api/component.js';
import { HelixError } from '../errors/helix-error.js';
import { EndpointUri } from '../model/endpoint-uri.js';

/**
 * What every component keeps to, as a suite: two lines in the component's own spec.
 * @param good URIs it accepts
 */
export function describeComponent(make: () => Component, ...good: readonly [string, ...string[]]): void {
  describe(`${make().scheme}:// as a component`, () => {
    it('has a scheme in lower case and a sentence that describes it', () => {
      const { scheme, description } = make();
      expect(scheme).toMatch(/^[a-z][a-z0-9+.-]*$/);
      expect(description).toMatch(/^\S.+\.$/);
    });

    it('describes each of its options in a sentence', () => {
      for (const option of Object.values(make().options)) expect(option.sentence).toMatch(/^\S/);
    });

    it.each(good)('makes an endpoint of %s with at least one end and its own URI', (text) => {
      const uri = EndpointUri.parse(text);
      const endpoint = make().endpoint(uri);
      expect(endpoint.uri.identity).toBe(uri.identity);
      expect('producer' in endpoint || 'consumer' in endpoint).toBe(true);
    });

    it('refuses an option it does not know, naming it', () => {
      const [text] = good;
      const uri = EndpointUri.parse(text, { 'surely-unknown-option': 'x' });
      let refusal: unknown;
      try {
        make().endpoint(uri);
      } catch (thrown) {
        refusal = thrown;
      }
      expect(refusal).toBeInstanceOf(HelixError);
      expect(refusal).toMatchObject({ code: 'WORKSPACE.UNKNOWN_OPTION' });
      expect((refusal as HelixError).message).toContain('surely-unknown-option');
    });

    it('can be closed twice and without ever having been used', async () => {
      const component = make();
      await expect(component.close()).resolves.toBeUndefined();
      await expect(component.close()).resolves.toBeUndefined();
    });
  });
}
