import { Command } from 'commander';
import type { Terminal } from './terminal.js';

export function schemaCommand(terminal: Terminal): Command {
  return new Command('schema')
    .description('print the JSON Schema of workspace files, for editors')
    .action(async () => {
      const { schemaText } = await import('./schema-text.js');
      terminal.out(schemaText());
    });
}
