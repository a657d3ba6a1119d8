import { resolve } from 'node:path';
import { Component, type Consumer, type Endpoint, type Route } from '../../common/engine/api/component.js';
import { readOptions } from '../../common/engine/api/options.js';
import type { Clock, IdSource, Log } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { FolderWatch } from './folder-watch.js';
import { checkOptions, fileOptions, type FileOptions } from './options.js';
import { writeMessage } from './write-file.js';

export interface FilePorts {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
}

/** How long a file in hand may take to be put away when the engine has stopped everything else. */
const graceMs = 1000;

/** `file://folder`: writes messages as files, or reads the files of a folder one after another. */
export class FileComponent extends Component {
  readonly scheme = 'file';
  readonly description = 'Writes files into a folder, or reads the files that appear in it.';
  readonly options = fileOptions;
  readonly #watches = new Set<FolderWatch>();
  /** Paths that are worked on: two watches of one folder, of an old and a new version, take no file twice. */
  readonly #inHand = new Set<string>();

  constructor(private readonly ports: FilePorts) {
    super();
  }

  endpoint(uri: EndpointUri): Endpoint {
    const options = readOptions(uri, fileOptions);
    checkOptions(options);
    if (uri.path === '') {
      throw new HelixError(
        'WORKSPACE.INVALID',
        'file:// needs a folder: write file://folder or file:///folder.',
      );
    }
    const folder = resolve(uri.path);
    return {
      uri,
      edge: true,
      producer: () => async (exchange) => {
        const path = await writeMessage(folder, exchange, options, this.ports.ids.next());
        exchange.headers.set('HelixFilePath', path);
      },
      comesAgain: true,
      consumer: (route) => this.#consumer(folder, route, options),
    };
  }

  override async close(): Promise<void> {
    const looking = Promise.all([...this.#watches].map((watch) => watch.looking));
    if (this.#watches.size === 0) return;
    this.#watches.clear();
    let unschedule: (() => void) | null = null;
    const patience = new Promise<void>((enough) => {
      unschedule = this.ports.clock.schedule(graceMs, enough);
    });
    await Promise.race([looking, patience]);
    (unschedule as (() => void) | null)?.();
  }

  #consumer(folder: string, route: Route, options: FileOptions): Consumer {
    const { clock, log } = this.ports;
    const watch = new FolderWatch({ folder, route, options, clock, log, inHand: this.#inHand });
    return {
      start: async () => {
        await watch.start();
        this.#watches.add(watch);
      },
      stop: async () => watch.stop(),
    };
  }
}
