import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Optional } from '../../../common/platform/http/dto/validators.js';

export const graphFormats = ['json', 'mermaid', 'svg'] as const;

export class DrawWorkflowsQuery {
  @ApiProperty({
    type: String,
    required: false,
    enum: graphFormats,
    description: 'How to draw. Omitted, the `Accept` header decides; `json` where it asks for none of them.',
    example: 'svg',
  })
  @Optional()
  @IsIn(graphFormats)
  format?: (typeof graphFormats)[number];
}

@ApiSchema({ name: 'WorkflowGraphNode' })
export class WorkflowGraphNodeDto {
  @ApiProperty({ type: String, example: 'n0', description: 'Stands for the node in `edges`.' }) id: string;
  @ApiProperty({ type: String, enum: ['workflow', 'tool', 'address'] }) kind: string;
  @ApiProperty({
    type: String,
    example: 'research',
    description: 'The id of the workflow or tool, or the address: without options and secrets.',
  })
  label: string;
}

@ApiSchema({ name: 'WorkflowGraphEdge' })
export class WorkflowGraphEdgeDto {
  @ApiProperty({ type: String, example: 'n0' }) from: string;
  @ApiProperty({ type: String, example: 'n1' }) to: string;
  @ApiProperty({
    type: String,
    example: 'on failure',
    description:
      'What sends: a step’s keyword, `on failure`, `dead letter` or `disabled`; empty for a plain target.',
  })
  label: string;
}

@ApiSchema({ name: 'WorkflowGraph', description: 'Who sends to whom.' })
export class WorkflowGraphDto {
  @ApiProperty({ type: WorkflowGraphNodeDto, isArray: true }) nodes: WorkflowGraphNodeDto[];
  @ApiProperty({ type: WorkflowGraphEdgeDto, isArray: true }) edges: WorkflowGraphEdgeDto[];
}
