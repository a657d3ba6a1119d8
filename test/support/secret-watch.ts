/** Shorter ones would be found in ordinary words. */
const shortest = 8;

/** Names of JSON members that hold something nobody but its owner may know. */
const secretMember = /^(apiKey|token|secret|.*password|.*_token|client_?secret)$/i;
const secretHeaders = ['x-api-key', 'authorization', 'x-treg-token', 'cookie', 'set-cookie'] as const;
const secretVariable = /(KEY|KEYRING|TOKEN|SECRET|PASSWORD)$/;

/** What stands in the log of which Helix, though nobody may read it there. */
export interface Leak {
  /** Where the secret was used: `x-api-key of a request`. */
  readonly secret: string;
  readonly form: string;
  /** The line, the secret itself left out. */
  readonly line: string;
}

/**
 * Every secret that is used and every line that is logged while it watches, to be held against each other at the end:
 * a secret may be logged before it is known here, as a key is by the request that makes it.
 */
export class SecretWatch {
  readonly #secrets = new Map<string, string>();
  readonly #public = new Set<string>();
  #logged: string[] = [];

  keep(secret: string | undefined, from: string): void {
    if (secret === undefined || secret.length < shortest || this.#secrets.has(secret)) return;
    this.#secrets.set(secret, from);
  }

  /** For what the log is the way to whoever needs it. */
  allow(secret: string): void {
    this.#public.add(secret);
  }

  logged(text: string): void {
    this.#logged.push(text);
  }

  keepHeader(name: string, value: string, from: string): void {
    if (!(secretHeaders as readonly string[]).includes(name)) return;
    if (name === 'authorization') return this.keep(value.replace(/^\S+\s+/, ''), `${name} of ${from}`);
    if (!name.endsWith('cookie')) return this.keep(value, `${name} of ${from}`);
    for (const pair of name === 'cookie' ? value.split('; ') : [value.split(';')[0] ?? ''])
      this.#keepCookie(pair.slice(pair.indexOf('=') + 1), `${name} of ${from}`);
  }

  /** `body`: text that may be JSON. */
  keepMembers(body: string, from: string): void {
    if (!/[[{]/.test(body)) return;
    try {
      JSON.parse(body, (name, value: unknown) => {
        if (typeof value === 'string' && secretMember.test(name)) this.keep(value, `"${name}" of ${from}`);
        return value;
      });
    } catch {
      // A story that sends broken JSON keeps what it sends by itself.
    }
  }

  keepVariables(environment: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value = ''] of Object.entries(environment)) {
      if (name === 'HELIX_KEYRING')
        for (const entry of value.split(/[\s,]+/)) this.keep(entry.slice(entry.indexOf(':') + 1), name);
      else if (secretVariable.test(name)) this.keep(value, name);
      else if (URL.canParse(value)) this.keep(decodeURIComponent(new URL(value).password), name);
    }
  }

  /** What was found; looked through once, so that a second look begins anew. */
  leaks(): Leak[] {
    const log = this.#logged.join('');
    this.#logged = [];
    const found: Leak[] = [];
    for (const [secret, from] of this.#secrets) {
      if (this.#public.has(secret)) continue;
      for (const [form, text] of formsOf(secret)) {
        const at = log.indexOf(text);
        if (at < 0) continue;
        const line = log.slice(log.lastIndexOf('\n', at) + 1, log.indexOf('\n', at) >>> 0);
        found.push({ secret: from, form, line: line.replaceAll(text, '…').slice(0, 500) });
      }
    }
    return found;
  }

  /** As it is sent, the signed value in it, and the id that is signed. */
  #keepCookie(sent: string, from: string): void {
    this.keep(sent, from);
    const signed = /^s(?::|%3A)(.+)$/.exec(sent)?.[1];
    if (signed === undefined) return;
    this.keep(decodeURIComponent(signed), from);
    this.keep(signed.split('.')[0], from);
  }
}

/** Written here anew, not taken from what masks the log: one would hide the mistakes of the other. */
function formsOf(secret: string): Map<string, string> {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = new Map([
    ['plain', secret],
    ['JSON', json],
    ['JSON in JSON', JSON.stringify(json).slice(1, -1)],
    ['URL-encoded', encodeURIComponent(secret)],
    ['hex', bytes.toString('hex')],
  ]);
  for (const shift of [0, 1, 2]) {
    // Of the bits that it shares with its neighbours nothing can be said.
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const sure = encoded.slice(
      shift === 0 ? 0 : shift + 1,
      (bytes.length + shift) % 3 === 0 ? undefined : -1,
    );
    forms.set(`base64 shifted by ${shift}`, sure);
    forms.set(`base64url shifted by ${shift}`, sure.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}
