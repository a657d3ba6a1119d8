import { Command, Option } from 'commander';
import type { Terminal } from './terminal.js';
import { withApp } from './with-app.js';

export function openapiCommand(terminal: Terminal): Command {
  return new Command('openapi')
    .description('print the OpenAPI document of the REST API')
    .addOption(new Option('--version <version>', 'of OpenAPI').choices(['3.1', '3.0']).default('3.1'))
    .action(async (options: { version: '3.1' | '3.0' }) => {
      await withApp(terminal, async (app) => {
        const { openApiDocument } = await import('../common/platform/http/openapi/document.js');
        const { downConvert } = await import('../common/platform/http/openapi/down-convert.js');
        const document = openApiDocument(app.nest, app.config, app.url);
        terminal.out(
          `${JSON.stringify(options.version === '3.0' ? downConvert(document) : document, null, 2)}\n`,
        );
      });
    });
}
