// An MCP server as a program: says what it was started with.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const inputSchema = { type: 'object', properties: {} };
const server = new Server({ name: 'program', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    {
      name: 'started',
      description: 'Says how it was started.',
      inputSchema,
      annotations: { readOnlyHint: true },
    },
    { name: 'exit', description: 'Ends the program in the middle of a call.', inputSchema },
  ],
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  if (params.name === 'exit') process.exit(1);
  const seen = { args: process.argv.slice(2), licence: process.env.LICENCE, secret: process.env.DESK_TOKEN };
  return { content: [{ type: 'text', text: JSON.stringify(seen) }], structuredContent: seen };
});
await server.connect(new StdioServerTransport());
