import type { Endpoint } from '../api/component.js';
import type { Processor } from '../api/processor.js';
import { HelixError } from '../errors/helix-error.js';
import { EndpointUri } from '../model/endpoint-uri.js';
import type { ComponentRegistry } from './component-registry.js';

/** Addresses computed per message can be without number: the least used of them go. */
const MOST_DYNAMIC = 1000;

/** One endpoint per address: the order of options and the way it was written make no second one. */
export class Endpoints {
  readonly #fixed = new Map<string, Endpoint>();
  readonly #dynamic = new Map<string, Endpoint>();
  readonly #producers = new WeakMap<Endpoint, Processor>();
  /** By text as written, so that a dynamic target is not parsed for every message. */
  readonly #parsed = new Map<string, EndpointUri>();

  constructor(private readonly components: ComponentRegistry) {}

  /** @throws HelixError `WORKSPACE.*` */
  fixed(uri: EndpointUri): Endpoint {
    const key = uri.identity;
    let endpoint = this.#fixed.get(key) ?? this.#dynamic.get(key);
    if (endpoint === undefined) endpoint = this.components.get(uri.scheme).endpoint(uri);
    this.#fixed.set(key, endpoint);
    return endpoint;
  }

  /**
   * The producer for an address known only now.
   * @throws HelixError `WORKSPACE.*`; `ENGINE.INVALID_MESSAGE` where only the author of the workspace may name it
   */
  producerAt(text: string): Processor {
    let uri = this.#parsed.get(text);
    if (uri === undefined) {
      uri = EndpointUri.parse(text);
      remember(this.#parsed, text, uri);
    }
    const key = uri.identity;
    let endpoint = this.#fixed.get(key) ?? this.#dynamic.get(key);
    if (endpoint === undefined) {
      endpoint = this.components.get(uri.scheme).endpoint(uri);
      remember(this.#dynamic, key, endpoint);
    }
    if (endpoint.writtenOnly === true && !this.#fixed.has(key))
      throw new HelixError(
        'ENGINE.INVALID_MESSAGE',
        `A message may not choose a target of ${uri.scheme}://: write the whole URI into the workspace.`,
      );
    return this.producerOf(endpoint);
  }

  /** @throws HelixError `WORKSPACE.UNSUPPORTED_END` */
  producerOf(endpoint: Endpoint): Processor {
    let producer = this.#producers.get(endpoint);
    if (producer) return producer;
    if (!endpoint.producer) {
      throw new HelixError(
        'WORKSPACE.UNSUPPORTED_END',
        `One cannot send to ${endpoint.uri.scheme}://: it is a trigger only.`,
      );
    }
    producer = endpoint.producer();
    this.#producers.set(endpoint, producer);
    return producer;
  }
}

/** Keeps the newest; a map remembers the order of its keys. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.size >= MOST_DYNAMIC) {
    const [oldest] = map.keys();
    if (oldest !== undefined) map.delete(oldest);
  }
  map.set(key, value);
}
