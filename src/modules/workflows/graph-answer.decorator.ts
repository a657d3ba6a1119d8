import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiProduces, getSchemaPath } from '@nestjs/swagger';
import { graphText, type GraphFormat } from '../../common/dsl/index.js';
import { WorkflowGraphDto } from './dto/workflow-graph.dto.js';

/** Best first, where a caller takes any. */
export const graphTypes: Readonly<Record<GraphFormat, string>> = {
  json: 'application/json',
  mermaid: 'text/vnd.mermaid',
  svg: 'image/svg+xml',
};

const graph: WorkflowGraphDto = {
  nodes: [
    { id: 'n0', kind: 'workflow', label: 'research' },
    { id: 'n1', kind: 'tool', label: 'search' },
    { id: 'n2', kind: 'address', label: 'http-server://0.0.0.0:8080/research' },
  ],
  edges: [
    { from: 'n2', to: 'n0', label: '' },
    { from: 'n0', to: 'n1', label: '' },
  ],
};

/** The answer of an operation that draws, in the document: one graph in each form. */
export function GraphAnswer(): MethodDecorator {
  const drawn = (format: GraphFormat) => ({
    schema: { type: 'string' as const },
    example: graphText(graph as Parameters<typeof graphText>[0], format, 'Workspace'),
  });
  return applyDecorators(
    ApiExtraModels(WorkflowGraphDto),
    ApiProduces(...Object.values(graphTypes)),
    ApiOkResponse({
      description: 'Secrets and the options of addresses are never drawn.',
      content: {
        [graphTypes.json]: { schema: { $ref: getSchemaPath(WorkflowGraphDto) }, example: graph },
        [graphTypes.mermaid]: drawn('mermaid'),
        [graphTypes.svg]: drawn('svg'),
      },
    }),
  );
}
