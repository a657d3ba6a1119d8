// An MCP server as a program, with the bad habits that its tools are named after.
import { spawn } from 'node:child_process';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [, , habit = ''] = process.argv;
if (habit === 'dies-at-once') {
  process.stderr.write(`no licence for ${process.env.LICENCE ?? 'nobody'}\n`);
  process.exit(3);
}
if (habit === 'stubborn') process.on('SIGTERM', () => undefined);
if (habit === 'stubborn') setInterval(() => undefined, 1000);
if (habit === 'junk') process.stdout.write('Server is starting...\n{"not": "json-rpc"}\n');
if (habit === 'flood') process.stderr.write('x'.repeat(5_000_000));

if (habit === 'startled') {
  // Ends at any word before `initialize`, as servers of old SDKs do.
  process.stdin.once('data', (chunk) => {
    if (!chunk.includes('"initialize"')) process.exit(1);
  });
}

const tools = {
  echo: (args) => JSON.stringify(args),
  environment: () => JSON.stringify(process.env),
  pid: () => String(process.pid),
  folder: () => process.cwd(),
  large: ({ size }) => 'a'.repeat(size),
  exit: () => process.exit(1),
  fork: () => String(spawn('sleep', ['600'], { stdio: 'inherit' }).pid),
  hang: () => new Promise(() => undefined),
};
const server = new Server({ name: 'program', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ({
  content: [{ type: 'text', text: await tools[params.name](params.arguments ?? {}) }],
}));
await server.connect(new StdioServerTransport());
