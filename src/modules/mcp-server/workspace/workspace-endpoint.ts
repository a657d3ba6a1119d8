import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { largestBody } from '../../../common/platform/http/body.interceptor.js';
import { HelixLog } from '../../../common/platform/logging/helix-log.js';
import type { AuthContext } from '../../access/index.js';
import { RequestStates } from '../protocol/request-state.js';
import { HttpEndpoint } from '../transport/http-endpoint.js';
import { AuthContexts } from './auth-contexts.js';
import { CatalogueTools } from './catalogue-tools.js';
import { ToolCatalogue } from './tool-catalogue.js';

/** Streamable HTTP over the catalogue; admission, Host and Origin are the business of the app that mounts it. */
@Injectable()
export class WorkspaceEndpoint {
  readonly #http: HttpEndpoint;

  constructor(
    catalogue: ToolCatalogue,
    log: HelixLog,
    private readonly contexts: AuthContexts,
  ) {
    this.#http = new HttpEndpoint({
      identity: { name: 'helix', version: '1.0.0' },
      source: new CatalogueTools(catalogue),
      states: new RequestStates(),
      tasks: null,
      log,
      maxBodyBytes: largestBody,
      door: contexts,
      origins: null,
      paths: null,
    });
  }

  handle(request: IncomingMessage, response: ServerResponse, auth: AuthContext): void {
    this.contexts.present(request, auth);
    this.#http.handle(request, response);
  }

  drain(): void {
    this.#http.drain();
  }

  close(): void {
    this.#http.close();
  }
}
