import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { headerFault } from './header-marks.js';
import type { ToolList } from './tool-list.js';

type Schema = Readonly<Record<string, unknown>>;

/**
 * Input schemas of one session's tools, read with the first call: a server of the newer generation may want arguments as
 * headers, and only its list of tools says which.
 */
export class ToolSchemas {
  #reading: Promise<ReadonlyMap<string, Schema>> | null = null;

  /** @param read null where no argument can be a header */
  constructor(private readonly read: () => Promise<ToolList> | null) {}

  /**
   * Undefined where nothing is known of the tool: then it is called without such headers, as the specification wants.
   * @throws HelixError `MCP.TOOL_FAILED` where the definition breaks the rules for them
   */
  async of(tool: string): Promise<Schema | undefined> {
    const schema = (await (this.#reading ??= this.#read())).get(tool);
    const fault = schema ? headerFault(schema) : null;
    if (fault === null) return schema;
    throw new HelixError(
      'MCP.TOOL_FAILED',
      `The MCP server describes "${tool}" wrongly, so it is not called: ${fault}`,
      {
        details: { tool },
      },
    );
  }

  forget(): void {
    this.#reading = null;
  }

  async #read(): Promise<ReadonlyMap<string, Schema>> {
    const list = await this.read()?.catch(() => {
      this.forget();
      return null;
    });
    return new Map((list?.tools ?? []).flatMap(named));
  }
}

function named(tool: unknown): [string, Schema][] {
  const { name, inputSchema } = (tool ?? {}) as { name?: unknown; inputSchema?: unknown };
  const isUsable = typeof name === 'string' && typeof inputSchema === 'object' && inputSchema !== null;
  return isUsable ? [[name, inputSchema as Schema]] : [];
}
