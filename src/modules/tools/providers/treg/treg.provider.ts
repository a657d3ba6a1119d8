import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type FieldProblem, HelixError } from '../../../../common/engine/errors/helix-error.js';
import { HelixConfig } from '../../../../common/platform/config/helix-config.js';
import { HelixLog } from '../../../../common/platform/logging/helix-log.js';
import { JsonSchemaValidator } from '../../../../common/platform/schema/json-schema-validator.js';
import { ConnectionsService } from '../../../connections/index.js';
import { TregClient, type TregCredential, type TregReply } from '../../../treg/index.js';
import type { CatalogueTool } from '../../tool-descriptor.js';
import { failed } from '../../tool-failure.js';
import {
  type Connected,
  type CostQuestion,
  type LateCost,
  type Offer,
  type OpenConnection,
  type Outcome,
  type Payer,
  type ProviderCall,
  ToolProvider,
  type ToolQuery,
} from '../../tool-provider.js';
import { TregDirectory } from './treg-directory.js';
import { outcomeOf } from './treg-outcome.js';
import { requestOf } from './treg-request.js';
import { prefix, toolOf } from './treg-tool.js';

/** Treg returns at most so many matches, and has no filter of its own: more are asked for than wanted. */
const mostMatches = 100;
/** Treg buffers 8 MiB; JSON around it is not counted. */
const maxReplyBytes = 9 * 1024 * 1024;
/** Pauses while Treg still works on an earlier try of the same call, in milliseconds. */
const pollMs = [250, 500, 1_000, 2_000, 4_000] as const;
const longestPollMs = 10_000;
const usable = /^[\x21-\x7e]+$/;

/** The tools of Treg, for workspaces with a connection of their own and, where the operator has one, for wallets. */
@Injectable()
export class TregProvider extends ToolProvider {
  readonly id = 'treg';
  readonly capabilities = { totals: true, upstreamIdempotency: 'metered_only', lateCost: true } as const;
  readonly #directory: TregDirectory;
  readonly #validator = new JsonSchemaValidator();

  constructor(
    private readonly client: TregClient,
    private readonly connections: ConnectionsService,
    private readonly config: HelixConfig,
    private readonly log: HelixLog,
  ) {
    super();
    this.#directory = new TregDirectory(client);
  }

  override async offer(organizationId: string): Promise<Offer> {
    if (this.config.tregToken !== undefined) return { isMade: true, connection: null };
    const { configured } = await this.connections.read(organizationId, this.id);
    return configured ? { isMade: true, connection: null } : { isMade: false, reason: noConnection };
  }

  /** What costs nothing goes out by whatever credential there is. */
  async connect({ organizationId, source }: Payer): Promise<Connected> {
    if (source === 'hlix') return this.#platform();
    const own = await this.#own(organizationId);
    if (own.isReady || source === 'organization') return own;
    const platform = this.#platform();
    return platform.isReady ? platform : own;
  }

  async search(
    { text, limit, accepts }: ToolQuery,
    _connection: OpenConnection | null,
    signal: AbortSignal,
  ): Promise<{ tools: CatalogueTool[]; total: number | null }> {
    // Treg answers an empty question with nothing: there is no list of everything.
    if (text.trim() === '') return { tools: [], total: null };
    const { endpoints, total } = await this.client.search(text, mostMatches, signal);
    const tools = endpoints.map(toolOf);
    const fitting = tools.filter(accepts);
    const isWhole = fitting.length === tools.length;
    return { tools: fitting.slice(0, limit), total: isWhole ? total : null };
  }

  async describe(id: string): Promise<CatalogueTool | null> {
    const endpoint = await this.#directory.find(id.slice(prefix.length));
    return endpoint === null ? null : toolOf(endpoint);
  }

  problems({ inputSchema }: CatalogueTool, input: unknown): readonly FieldProblem[] {
    return inputSchema === null ? [] : this.#validator.compile(inputSchema)(input);
  }

  async call(call: ProviderCall, connection: OpenConnection | null, signal: AbortSignal): Promise<Outcome> {
    if (connection === null) return notSent(new HelixError('CALL.CONNECTION_REMOVED', noConnection));
    const forget = this.log.secrets.add(connection.token);
    try {
      const endpoint = await this.#directory.find(call.toolId.slice(prefix.length));
      if (endpoint === null)
        return notSent(new HelixError('UPSTREAM.RETIRED', 'Treg has retired this tool.'));
      const reply = await this.#send(
        { ...requestOf(endpoint, call.input), endpointId: endpoint.id },
        call,
        connection,
        signal,
      );
      await this.#learn(connection, reply);
      return outcomeOf(reply, (text) => this.log.secrets.redact(text));
    } catch (thrown) {
      signal.throwIfAborted();
      return afterFailure(HelixError.from(thrown));
    } finally {
      forget();
    }
  }

  override async cost(
    { reference }: CostQuestion,
    connection: OpenConnection | null,
    signal: AbortSignal,
  ): Promise<LateCost> {
    if (reference === null || connection === null) return { state: 'pending', micros: null };
    return this.client.ledger(reference, connection, signal);
  }

  /** A 409 says that an earlier try of this very call is being worked on: its end is waited for. */
  async #send(
    request: ReturnType<typeof requestOf> & { readonly endpointId: string },
    { callId }: ProviderCall,
    credential: TregCredential,
    signal: AbortSignal,
  ): Promise<TregReply> {
    for (let turn = 0; ; turn += 1) {
      const reply = await this.client.call(
        { ...request, idempotencyKey: callId, maxBytes: maxReplyBytes },
        credential,
        signal,
      );
      const isAtWork = reply.status === 409 && reply.headers['x-treg-error'] !== undefined;
      const wait = pollMs[turn];
      if (!isAtWork || wait === undefined) return reply;
      const asked = Number(reply.headers['retry-after'] ?? Number.NaN) * 1_000;
      await pause(asked >= 0 ? Math.min(asked, longestPollMs) : wait, undefined, { signal });
    }
  }

  async #learn({ id }: OpenConnection, { status, headers }: TregReply): Promise<void> {
    if (id === null) return;
    const isRefused = (status === 401 || status === 403) && headers['x-treg-error'] !== undefined;
    if (isRefused) await this.connections.note(id, 'refused');
    else await this.connections.note(id, 'used');
  }

  #platform(): Connected {
    const { tregToken, tregOrganization } = this.config;
    if (tregToken === undefined)
      return {
        isReady: false,
        reason: 'The operator of this deployment has no Treg account: HELIX_TREG_TOKEN is not set.',
      };
    return {
      isReady: true,
      connection: { id: null, token: tregToken.reveal(), organizationId: tregOrganization },
    };
  }

  async #own(organizationId: string): Promise<Connected> {
    const own = await this.connections.open(organizationId, this.id);
    if (own === null) return { isReady: false, reason: await this.#whyNot(organizationId) };
    const token = own.token.reveal();
    if (!usable.test(token + own.upstreamOrganizationId))
      return {
        isReady: false,
        reason: 'The saved Treg token has characters that no token has: save it again.',
      };
    return { isReady: true, connection: { id: own.id, token, organizationId: own.upstreamOrganizationId } };
  }

  async #whyNot(organizationId: string): Promise<string> {
    const { status } = await this.connections.read(organizationId, this.id);
    if (status === 'not_configured') return noConnection;
    if (status === 'rejected') return 'Treg refuses the saved token: save a valid one.';
    return 'The saved Treg token cannot be read any more: save it again.';
  }
}

const noConnection =
  'The workspace has no Treg connection: save one with PUT /v1/api/tools/connections/treg.';

function notSent(failure: HelixError): Outcome {
  return { ...failed(failure), kind: 'not_sent', cost: { state: 'settled', micros: 0 } };
}

/** Without an answer it is not known whether the tool ran, unless nothing left this machine. */
function afterFailure(failure: HelixError): Outcome {
  const isUnsent = failure.code === 'HTTP.TARGET_REFUSED' || failure.details?.['unsent'] === true;
  if (isUnsent)
    return notSent(new HelixError('UPSTREAM.UNREACHABLE', 'Treg could not be reached.', { cause: failure }));
  if (failure.code === 'HTTP.UNREADABLE_REPLY') {
    const unreadable = new HelixError('UPSTREAM.UNREADABLE', 'The answer of the tool is too large.', {
      cause: failure,
    });
    return { ...failed(unreadable), kind: 'failed', cost: { state: 'pending', micros: null } };
  }
  const lost = new HelixError('UPSTREAM.UNREACHABLE', 'The connection to Treg broke before it answered.', {
    cause: failure,
  });
  return { ...failed(lost), kind: 'lost', cost: { state: 'pending', micros: null } };
}
