import { HelixError } from '../errors/helix-error.js';
import { remembering } from '../model/remember.js';
import { formatAddress, parseAddress, type IpAddress } from './ip-address.js';

interface Network {
  readonly family: 4 | 6;
  readonly prefix: bigint;
  readonly shift: bigint;
}

/** Addresses and CIDR networks. A network of one family holds no address of the other. */
export class AddressSet {
  readonly #single = new Set<string>();
  readonly #networks: Network[] = [];
  readonly #hasText = remembering((text) => {
    const parsed = parseAddress(text);
    return parsed !== null && this.#hasAddress(parsed);
  });

  /**
   * @param option the option's name, for the message
   * @throws HelixError `WORKSPACE.WRONG_OPTION` for an entry that is neither an address nor a network
   */
  constructor(entries: readonly string[], option = 'addresses') {
    for (const entry of entries) {
      const [host = '', bits, ...rest] = entry.split('/');
      const address = parseAddress(host);
      const width = address?.family === 4 ? 32 : 128;
      const length = bits === undefined ? width : prefixLength(host, bits, address);
      if (!address || rest.length > 0 || length === null || length > width) {
        throw new HelixError(
          'WORKSPACE.WRONG_OPTION',
          `The option "${option}" holds "${entry}": write an IP address such as 10.0.0.1 or a network such as 10.0.0.0/8.`,
          { details: { option } },
        );
      }
      if (length === width) this.#single.add(formatAddress(address));
      else {
        const shift = BigInt(width - length);
        this.#networks.push({ family: address.family, prefix: address.value >> shift, shift });
      }
    }
  }

  get isEmpty(): boolean {
    return this.#single.size === 0 && this.#networks.length === 0;
  }

  has(address: IpAddress | string): boolean {
    if (this.isEmpty) return false;
    return typeof address === 'string' ? this.#hasText(address) : this.#hasAddress(address);
  }

  #hasAddress(address: IpAddress): boolean {
    if (this.#single.size > 0 && this.#single.has(formatAddress(address))) return true;
    return this.#networks.some(
      ({ family, prefix, shift }) => family === address.family && address.value >> shift === prefix,
    );
  }
}

/** `::ffff:10.0.0.0/104` is `10.0.0.0/8`: a mapped network is counted in IPv4 bits. */
function prefixLength(host: string, bits: string, address: IpAddress | null): number | null {
  if (!/^\d{1,3}$/.test(bits)) return null;
  const isMapped = address?.family === 4 && host.includes(':');
  const length = Number(bits) - (isMapped ? 96 : 0);
  return length >= 0 ? length : null;
}
