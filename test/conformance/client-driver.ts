import { DirectComponent } from '../../src/components/direct/index.js';
import { McpComponent } from '../../src/components/mcp/mcp.component.js';
import { EgressGuard } from '../../src/common/platform/egress/index.js';
import { workspaceOf } from '../../src/common/engine/testing/source.js';
import { makeEngine } from '../../src/common/engine/testing/test-engine.js';
import { SdkMcpCaller } from '../../src/modules/mcp-client/index.js';

/**
 * The client that the conformance suite starts: an engine whose one workflow calls `mcp://`, sent the tool calls that a
 * scenario wants. The suite appends the URL of its server and tells the scenario in the environment.
 */
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const revision = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[];
};

type Call = readonly [tool: string, args?: Readonly<Record<string, unknown>>];

const faultyTools = [
  'empty_header',
  'object_header',
  'array_header',
  'null_header',
  'number_header',
  'duplicate_same_case',
  'duplicate_diff_case',
  'space_in_name',
  'colon_in_name',
  'non_ascii_name',
  'control_char_name',
];

const calls: Readonly<Record<string, readonly Call[]>> = {
  tools_call: [['add_numbers', { a: 5, b: 3 }]],
  'elicitation-sep1034-client-defaults': [['test_client_elicitation_defaults']],
  'sse-retry': [['test_reconnection']],
  'sep-2322-client-request-state': [
    ['test_mrtr_echo_state'],
    ['test_mrtr_unrelated'],
    ['test_mrtr_no_state'],
    ['test_mrtr_no_result_type'],
  ],
  'http-standard-headers': [['test_headers'], ['my-hyphenated-tool']],
  'http-custom-headers': (context.toolCalls ?? []).map(({ name, arguments: args }) => [name, args] as const),
  'http-invalid-tool-headers': [
    ...faultyTools.map((name) => [`invalid_${name}`, { value: 'a' }] as const),
    ['valid_tool', { region: 'eu' }],
  ],
  'json-schema-ref-no-deref': [['lookup_user', { id: 'a' }]],
};

const url = new URL(process.argv.at(-1) ?? '');
const server = `${url.host}${url.pathname}`.replace(/\/$/, '');
const mcp = new McpComponent(new SdkMcpCaller(new EgressGuard(['localhost', '127.0.0.1', '::1'])), {
  now: () => Date.now(),
});
const { engine } = makeEngine({ components: [new DirectComponent(), mcp] });
const parameters = {
  elicitation: 'defaults',
  timeout: '10s',
  era: revision === '2026-07-28' ? 'auto' : 'legacy',
};
const steps = [{ target: { uri: `mcp://${server}/test-tool`, parameters } }];
await engine.start(workspaceOf({ workflows: [{ id: 'ask', from: 'direct://ask', steps }] }));
for (const [tool, body = {}] of calls[scenario] ?? [['test-tool']]) {
  const exchange = await engine.request('direct://ask', { body, headers: { HelixMcpToolName: tool } });
  const { failure } = exchange;
  process.stdout.write(
    `${tool}: ${failure ? `${failure.code} ${failure.message}` : String(exchange.body)}\n`,
  );
}
await engine.stop({ timeoutMs: 2000 });
