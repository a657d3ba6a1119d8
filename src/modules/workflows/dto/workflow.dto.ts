import { ApiProperty, ApiSchema } from '@nestjs/swagger';

const int = { type: 'integer', format: 'int32' } as const;
const long = { type: 'integer', format: 'int64' } as const;
const milliseconds = { type: 'number', nullable: true } as const;
const ids = { type: String, isArray: true } as const;
const schema = { type: 'object', additionalProperties: true, nullable: true } as const;
const states = ['starting', 'started', 'stopping', 'stopped', 'failed', 'disabled'] as const;

@ApiSchema({ name: 'WorkflowTrigger' })
export class WorkflowTriggerDto {
  @ApiProperty({
    type: String,
    example: 'http-server://0.0.0.0:8080/research',
    description: 'Without secrets.',
  })
  uri: string;
  @ApiProperty({ type: String, example: 'http-server' }) scheme: string;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'http://0.0.0.0:8080/research',
    description: 'Where it listens on the network now; null where it does not.',
  })
  address: string | null;
}

@ApiSchema({ name: 'WorkflowError' })
export class WorkflowErrorDto {
  @ApiProperty({ type: String, example: 'PLATFORM.WRONG_CONFIGURATION' }) code: string;
  @ApiProperty({ type: String }) message: string;
}

@ApiSchema({ name: 'WorkflowFailure' })
export class WorkflowFailureDto {
  @ApiProperty({ type: String, example: 'ENGINE.TIMED_OUT' }) code: string;
  @ApiProperty({ type: String, format: 'date-time' }) at: string;
}

@ApiSchema({
  name: 'WorkflowCounters',
  description: 'On this node since its start. A workflow that another one calls is counted as well.',
})
export class WorkflowCountersDto {
  @ApiProperty({ ...long, example: 120 }) started: number;
  @ApiProperty({ ...long, example: 117 }) completed: number;
  @ApiProperty({ ...long, example: 2 }) failed: number;
  @ApiProperty({ ...int, example: 1, description: 'On their way now, on whichever version.' })
  inFlight: number;
  @ApiProperty({ ...milliseconds, example: 12.4, description: 'Of those that ended; null before the first.' })
  meanMs: number | null;
  @ApiProperty({ ...milliseconds, example: 310.2 }) maxMs: number | null;
  @ApiProperty({ type: WorkflowFailureDto, nullable: true }) lastFailure: WorkflowFailureDto | null;
}

@ApiSchema({ name: 'Workflow' })
export class WorkflowDto {
  @ApiProperty({ type: String, example: 'research' }) id: string;
  @ApiProperty({ type: String, nullable: true }) description: string | null;
  @ApiProperty({ type: String, enum: states, example: 'started' }) state: string;
  @ApiProperty({
    ...int,
    example: 1,
    description: 'The version of the workspace in which it was added or changed last.',
  })
  version: number;
  @ApiProperty({ type: WorkflowTriggerDto }) trigger: WorkflowTriggerDto;
  @ApiProperty({
    type: WorkflowErrorDto,
    nullable: true,
    description: 'Why it does not run, where it failed.',
  })
  error: WorkflowErrorDto | null;
  @ApiProperty({ type: WorkflowCountersDto }) counters: WorkflowCountersDto;
}

@ApiSchema({ name: 'WorkflowExchange', description: 'An exchange that is on its way.' })
export class WorkflowExchangeDto {
  @ApiProperty({ type: String }) id: string;
  @ApiProperty({ type: String, nullable: true, example: 'target[2]' }) step: string | null;
  @ApiProperty({ ...long, example: 1500 }) ageMs: number;
}

@ApiSchema({ name: 'WorkflowDetail' })
export class WorkflowDetailDto extends WorkflowDto {
  @ApiProperty({ ...schema, description: 'JSON Schema 2020-12.' }) inputSchema: object | null;
  @ApiProperty({ ...schema, description: 'JSON Schema 2020-12.' }) outputSchema: object | null;
  @ApiProperty({ ...long, nullable: true, description: 'How long one exchange may take.' }) timeoutMs:
    number | null;
  @ApiProperty({ type: String, example: 'desk.yaml:12', description: 'File within the workspace, and line.' })
  source: string;
  @ApiProperty({ type: WorkflowExchangeDto, isArray: true, description: 'Oldest first, at most 100.' })
  exchanges: WorkflowExchangeDto[];
}

@ApiSchema({ name: 'WorkflowList' })
export class WorkflowListDto {
  @ApiProperty({ ...int, example: 3, description: 'The version of the workspace that counts on this node.' })
  version: number;
  @ApiProperty({ type: WorkflowDto, isArray: true, description: 'In the order written.' })
  items: WorkflowDto[];
}

@ApiSchema({ name: 'WorkspaceReload', description: 'What a reload did, by the ids of workflows.' })
export class WorkspaceReloadDto {
  @ApiProperty({ ...int, example: 4, description: 'The version that counts now.' }) version: number;
  @ApiProperty(ids) added: readonly string[];
  @ApiProperty({ ...ids, description: 'What was on its way finishes as it was written before.' })
  changed: readonly string[];
  @ApiProperty(ids) removed: readonly string[];
  @ApiProperty({ ...ids, description: 'Not touched.' }) unchanged: readonly string[];
  @ApiProperty(ids) warnings: readonly string[];
}
