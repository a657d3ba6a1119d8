import { Secret } from './secret.js';

const mask = '[secret]';
/** Shorter values would mask ordinary words; nothing this short is a credential worth the name. */
const shortest = 6;

/**
 * The exact secrets this process knows of. `redact` replaces each of them in a text, in the forms in which they
 * leak: plain, JSON-escaped, URL-encoded, base64 and base64url (also as the tail of `user:secret` in Basic
 * authorization, which shifts base64 by one or two bytes).
 *
 * Register a secret as soon as it is read; forget it when it is gone (`add` returns the function that does).
 */
export class SecretRegistry {
  readonly #holders = new Map<string, number>();
  #pattern: RegExp | undefined;

  add(secret: Secret | string | undefined): () => void {
    const value = secret instanceof Secret ? secret.reveal() : (secret ?? '');
    if (value.length < shortest) return () => {};
    if (!this.#holders.has(value)) this.#pattern = undefined;
    this.#holders.set(value, (this.#holders.get(value) ?? 0) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const count = (this.#holders.get(value) ?? 1) - 1;
      if (count > 0) this.#holders.set(value, count);
      else {
        this.#holders.delete(value);
        this.#pattern = undefined;
      }
    };
  }

  redact(text: string): string {
    if (this.#holders.size === 0) return text;
    this.#pattern ??= this.#compile();
    return text.replace(this.#pattern, mask);
  }

  #compile(): RegExp {
    const forms = new Set<string>();
    for (const value of this.#holders.keys()) for (const form of formsOf(value)) forms.add(form);
    // Longest first: a secret that contains another one must go as a whole.
    const ordered = [...forms].toSorted((one, other) => other.length - one.length);
    return new RegExp(ordered.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
  }
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(bytes.toString())];
  for (const shift of [0, 1, 2]) {
    // The characters that mix the secret's bits with those of its neighbours are left out.
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const exact = shift === 0 ? 0 : shift + 1;
    const form = encoded.slice(exact, (bytes.length + shift) % 3 === 0 ? undefined : -1);
    if (form.length >= shortest) forms.push(form, form.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}
