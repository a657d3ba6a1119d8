import type { OpenApiSource } from '../../../../common/dsl/index.js';
import { type FieldProblem, HelixError } from '../../../../common/engine/errors/helix-error.js';
import type { GuardedHttpCaller } from '../../../../common/platform/egress/index.js';
import type { HelixLog } from '../../../../common/platform/logging/helix-log.js';
import { JsonSchemaValidator } from '../../../../common/platform/schema/json-schema-validator.js';
import { ToolIndex } from '../../search/tool-index.js';
import type { CatalogueTool } from '../../tool-descriptor.js';
import { failed } from '../../tool-failure.js';
import {
  type Connected,
  type Outcome,
  type Payer,
  type ProviderCall,
  ToolProvider,
  type ToolQuery,
} from '../../tool-provider.js';
import { authorise, metRequirement } from './credentials.js';
import { importDocument } from './import-document.js';
import { loadDocument } from './load-document.js';
import { matchesPattern } from '../matches-pattern.js';
import { afterFailure, outcomeOf } from './openapi-outcome.js';
import type { ImportedDocument, Operation } from './operation.js';
import { requestOf } from './operation-request.js';
import { toolOf } from './operation-tool.js';

/** How long a document is believed before it is read again, and how long a failure is, in milliseconds. */
const freshMs = 10 * 60_000;
const failedMs = 15_000;
const maxReplyBytes = 8 * 1024 * 1024;

interface Imported {
  readonly document: ImportedDocument;
  readonly byId: ReadonlyMap<string, { readonly operation: Operation; readonly tool: CatalogueTool }>;
  readonly index: ToolIndex;
}

/** The operations of one OpenAPI document as tools: `openapi:<name>:<operationId>`. */
export class OpenApiProvider extends ToolProvider {
  readonly id: string;
  readonly capabilities = { totals: true, upstreamIdempotency: 'none', lateCost: false } as const;
  readonly #validator = new JsonSchemaValidator();
  #imported: { readonly until: number; readonly value: Promise<Imported> } | undefined;

  constructor(
    private readonly source: OpenApiSource,
    private readonly http: GuardedHttpCaller,
    private readonly log: HelixLog,
  ) {
    super();
    this.id = `openapi:${source.name}`;
  }

  /** Its calls go out by the credentials of the workspace file: nobody's wallet is charged. */
  connect({ source }: Payer): Promise<Connected> {
    const reason = 'The API is called by the deployment’s own credentials: no wallet can pay for it.';
    return Promise.resolve(
      source === 'hlix' ? { isReady: false, reason } : { isReady: true, connection: null },
    );
  }

  async search({ text, limit, accepts }: ToolQuery): Promise<{ tools: CatalogueTool[]; total: number }> {
    return (await this.#read()).index.search(text, limit, accepts);
  }

  async describe(id: string): Promise<CatalogueTool | null> {
    return (await this.#read()).byId.get(id)?.tool ?? null;
  }

  problems({ inputSchema }: CatalogueTool, input: unknown): readonly FieldProblem[] {
    const problems = inputSchema === null ? [] : this.#validator.compile(inputSchema)(input);
    return [...problems, ...leavingProblems(input)];
  }

  async call(call: ProviderCall, _connection: null, signal: AbortSignal): Promise<Outcome> {
    const { document, byId } = await this.#read();
    const operation = byId.get(call.toolId)?.operation;
    if (!operation)
      return this.#notSent(new HelixError('UPSTREAM.RETIRED', 'The API has no such operation any more.'));
    const server = this.source.server ?? document.server;
    if (server === null && operation.server === null)
      return this.#notSent(
        new HelixError(
          'CALL.CONNECTION_REMOVED',
          `The document of "${this.source.name}" names no server: write "server" beside it.`,
        ),
      );
    const requirement = metRequirement(operation, document.schemes, this.source.auth);
    if (requirement === null)
      return this.#notSent(
        new HelixError(
          'CALL.CONNECTION_REMOVED',
          `The operation needs a credential for ${needed(operation)}: write it under "auth" of "${this.source.name}".`,
        ),
      );
    try {
      const request = requestOf(
        this.source.server === null ? operation : { ...operation, server: null },
        server ?? '',
        call.input,
      );
      Object.assign(request.headers, this.source.headers);
      authorise(request, requirement, document.schemes, this.source.auth);
      const body = request.body === null ? null : Buffer.from(request.body);
      const reply = await this.http.call({ ...request, body, maxBytes: maxReplyBytes, signal });
      return outcomeOf(reply, (text) => this.log.secrets.redact(text));
    } catch (thrown) {
      signal.throwIfAborted();
      return afterFailure(HelixError.from(thrown));
    }
  }

  #notSent(failure: HelixError): Outcome {
    return { ...failed(failure), kind: 'not_sent', cost: { state: 'not_metered', micros: null } };
  }

  /** Read once for all who ask; a document that cannot be read any more leaves the last one in use. */
  #read(): Promise<Imported> {
    const known = this.#imported;
    if (known && known.until > performance.now()) return known.value;
    const value = this.#import();
    this.#imported = { until: performance.now() + freshMs, value };
    value.catch((error: unknown) => {
      this.log.write('warn', 'An OpenAPI document could not be read.', { source: this.id, error });
      this.#imported = { until: performance.now() + failedMs, value: known?.value ?? value };
    });
    return known ? value.catch(() => known.value) : value;
  }

  async #import(): Promise<Imported> {
    const { name, openapi, include, exclude } = this.source;
    const document = importDocument(await loadDocument(openapi, this.http));
    for (const problem of document.problems)
      this.log.write('warn', 'An operation of an OpenAPI document is left out.', {
        source: this.id,
        problem,
      });
    const wanted = document.operations.filter(
      ({ id }) => (include.length === 0 || matchesPattern(id, include)) && !matchesPattern(id, exclude),
    );
    const tools = wanted.map((operation) => ({ operation, tool: toolOf(operation, `openapi:${name}`) }));
    return {
      document,
      byId: new Map(tools.map((one) => [one.tool.id, one])),
      index: await ToolIndex.ofMany(tools.map(({ tool }) => tool)),
    };
  }
}

/** Values of the path that would lead to another place: a dot or two are steps through folders, nothing is a shorter path. */
function leavingProblems(input: unknown): FieldProblem[] {
  const { path } = (typeof input === 'object' && input !== null ? input : {}) as { readonly path?: unknown };
  if (typeof path !== 'object' || path === null) return [];
  return Object.entries(path).flatMap(([name, value]) =>
    value === '' || value === '.' || value === '..'
      ? [{ path: `/path/${name}`, code: 'path', message: 'must not be empty, "." or ".."' }]
      : [],
  );
}

function needed({ security }: Operation): string {
  return security.map((one) => one.join(' and ')).join(', or for ');
}
