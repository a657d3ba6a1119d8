import { abortReason, whenAborted } from '../../common/engine/api/abort.js';
import { Component, type AdoptedVersion, type Endpoint } from '../../common/engine/api/component.js';
import { choice, duration, readOptions, text, type OptionValues } from '../../common/engine/api/options.js';
import type { Clock } from '../../common/engine/api/ports.js';
import { Versioned } from '../../common/engine/api/versioned.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import type { WorkspaceDefinition, WorkspaceProblem } from '../../common/engine/model/workflow-definition.js';
import { bind } from './bind.js';
import { readConnections } from './connections.js';
import type { SqlAnswer, SqlCaller, SqlConnection } from './sql-caller.js';
import { parseStatement, type Statement } from './statement.js';

const sqlOptions = {
  query: {
    ...text(
      'One statement. Values come by name: :id or :customer.name of the body, :header.x, :payload.',
      '',
    ),
    required: true,
  },
  result: choice(
    'What the body becomes: all rows, the first row or null, or how many rows there were.',
    ['rows', 'row', 'count'],
    'rows',
  ),
  timeout: duration('How long the statement may take before it is cancelled in the database.', 30_000),
};

type SqlOptions = OptionValues<typeof sqlOptions>;

/**
 * `sql://connection`: runs one statement on a PostgreSQL database of the section `connections`. Values are bound, never
 * put into the text, and each statement is a transaction of its own.
 */
export class SqlComponent extends Component {
  readonly scheme = 'sql';
  readonly description = 'Runs a statement with bound values on a PostgreSQL database.';
  readonly options = sqlOptions;
  readonly #connections = new Versioned<ReadonlyMap<string, SqlConnection>>(new Map());

  constructor(
    private readonly caller: SqlCaller,
    private readonly clock: Clock,
  ) {
    super();
  }

  override review(workspace: WorkspaceDefinition, report: (problem: WorkspaceProblem) => void): void {
    readConnections(workspace, report);
  }

  override adopt(workspace: WorkspaceDefinition, version: AdoptedVersion): void {
    const connections = readConnections(workspace, () => undefined);
    this.#connections.adopt(connections, version);
  }

  endpoint(uri: EndpointUri): Endpoint {
    const options = readOptions(uri, sqlOptions);
    const name = uri.path;
    if (name === '') {
      throw new HelixError('WORKSPACE.INVALID', 'sql:// needs the name of a connection: write sql://name.');
    }
    const statement = parseStatement(options.query);
    return { uri, producer: () => (exchange) => this.#run(exchange, name, statement, options) };
  }

  override close(): Promise<void> {
    return this.caller.close();
  }

  async #run(exchange: Exchange, name: string, statement: Statement, options: SqlOptions): Promise<void> {
    const connection = this.#connections.of(exchange).get(name);
    if (!connection) {
      throw new HelixError(
        'WORKSPACE.INVALID',
        `The section "connections" has no PostgreSQL database "${name}": add it, or correct the name.`,
        { details: { connection: name } },
      );
    }
    const { signal } = exchange;
    const values = bind(statement.names, exchange);
    const controller = new AbortController();
    const unschedule =
      options.timeout > 0
        ? this.clock.schedule(options.timeout, () => controller.abort(late(name, options.timeout)))
        : null;
    const forget = whenAborted(signal, () => controller.abort(abortReason(signal)));
    let answer: SqlAnswer;
    try {
      answer = await this.caller.run(connection, statement.text, values, controller.signal);
    } finally {
      unschedule?.();
      forget();
    }
    // Given up in the same moment: the exchange is on another way.
    if (signal.aborted) throw abortReason(signal);
    exchange.headers.set('HelixSqlRowCount', answer.count);
    exchange.body =
      options.result === 'rows'
        ? [...answer.rows]
        : options.result === 'row'
          ? (answer.rows[0] ?? null)
          : answer.count;
  }
}

function late(name: string, timeout: number): HelixError {
  return new HelixError('ENGINE.TIMED_OUT', `The statement on "${name}" took longer than ${timeout} ms.`, {
    details: { connection: name },
  });
}
