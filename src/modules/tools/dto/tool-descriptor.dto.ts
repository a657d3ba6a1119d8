import { ApiProperty, ApiSchema } from '@nestjs/swagger';

const micros = { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
const schema = { type: 'object', additionalProperties: true, nullable: true } as const;

@ApiSchema({ name: 'ToolPolicy', description: 'How a call of the tool is run, and when it may run again.' })
export class ToolPolicyDto {
  @ApiProperty({ type: 'integer', format: 'int32', description: 'Milliseconds one run may take.' })
  timeoutMs: number;
  @ApiProperty({
    type: 'integer',
    format: 'int32',
    description: 'Bytes of JSON kept of a result; the rest is cut.',
  })
  maxResultBytes: number;
  @ApiProperty({ type: String, enum: ['read', 'write', 'unknown'] }) sideEffects: string;
  @ApiProperty({
    type: String,
    enum: ['never', 'with_upstream_key', 'safe'],
    description: 'Whether a call that was interrupted runs again by itself.',
  })
  redispatch: string;
  @ApiProperty({ type: Boolean, description: 'A call must name a projectId.' }) requiresProject: boolean;
}

@ApiSchema({ name: 'ToolPricing' })
export class ToolPricingDto {
  @ApiProperty({ type: String, enum: ['free', 'per_call', 'per_result', 'per_success', 'unknown'] })
  model: string;
  @ApiProperty({
    ...micros,
    nullable: true,
    description: 'Fixed price of one unit of the model in USD micros; null: the cost is told after the call.',
  })
  micros: number | null;
  @ApiProperty({
    ...micros,
    nullable: true,
    description: 'USD micros; null: not known before the call, which is not zero.',
  })
  estimateMicros: number | null;
  @ApiProperty({ type: String, nullable: true }) note: string | null;
  @ApiProperty({ type: String, example: 'helix' }) accountingService: string;
}

@ApiSchema({ name: 'Readiness' })
export class ReadinessDto {
  @ApiProperty({ type: Boolean }) ready: boolean;
  @ApiProperty({ type: String, nullable: true, description: 'Why not, and what would change it.' }) reason:
    string | null;
}

@ApiSchema({ name: 'AutoReadiness' })
export class AutoReadinessDto extends ReadinessDto {
  @ApiProperty({
    type: String,
    enum: ['hlix', 'organization', 'none'],
    nullable: true,
    description: 'What `auto` would take now; `none`: nothing is to be paid.',
  })
  source: string | null;
}

@ApiSchema({ name: 'FundingReadiness', description: 'Which ways to fund a call would work now.' })
export class FundingReadinessDto {
  @ApiProperty({ type: AutoReadinessDto }) auto: AutoReadinessDto;
  @ApiProperty({ type: ReadinessDto }) hlix: ReadinessDto;
  @ApiProperty({ type: ReadinessDto }) organization: ReadinessDto;
}

@ApiSchema({ name: 'ToolDescriptor' })
export class ToolDescriptorDto {
  @ApiProperty({
    type: String,
    description: 'As called: a native id, or `<provider>:<upstream id>`.',
    example: 'lookup-order',
  })
  id: string;
  @ApiProperty({ type: String, example: 'helix' }) provider: string;
  @ApiProperty({ type: String, enum: ['native', 'upstream'] }) origin: string;
  @ApiProperty({ type: String, example: 'Look up an order' }) name: string;
  @ApiProperty({ type: String, example: 'Finds an order by its number.' }) summary: string;
  @ApiProperty({ type: String, nullable: true }) description: string | null;
  @ApiProperty({
    ...schema,
    description:
      'JSON Schema 2020-12 that `input` is checked against; null only in search results of some upstreams.',
    example: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  })
  inputSchema: object | null;
  @ApiProperty({ ...schema, description: 'JSON Schema 2020-12 of the result, where it is declared.' })
  outputSchema: object | null;
  @ApiProperty({ type: ToolPolicyDto }) policy: ToolPolicyDto;
  @ApiProperty({ type: ToolPricingDto }) pricing: ToolPricingDto;
  @ApiProperty({ type: FundingReadinessDto }) funding: FundingReadinessDto;
  @ApiProperty({ type: String, enum: ['available', 'blocked', 'retired'] }) status: string;
  @ApiProperty({ type: String, nullable: true }) statusNote: string | null;
  @ApiProperty({ type: String, format: 'uri', nullable: true }) docsUrl: string | null;
}

@ApiSchema({ name: 'ToolSearchSource', description: 'What one provider contributed.' })
export class ToolSearchSourceDto {
  @ApiProperty({ type: String, example: 'helix' }) provider: string;
  @ApiProperty({ type: String, enum: ['ok', 'unavailable', 'not_configured'] }) status: string;
  @ApiProperty({ type: 'integer', format: 'int32' }) returned: number;
  @ApiProperty({ type: 'integer', format: 'int32', nullable: true }) total: number | null;
  @ApiProperty({ type: String, nullable: true }) message: string | null;
}

@ApiSchema({ name: 'ToolSearchResult' })
export class ToolSearchResultDto {
  @ApiProperty({ type: [ToolDescriptorDto], description: 'Best match first.' }) items: ToolDescriptorDto[];
  @ApiProperty({
    type: 'integer',
    format: 'int32',
    nullable: true,
    description: 'null as soon as one source cannot tell.',
  })
  total: number | null;
  @ApiProperty({ type: [ToolSearchSourceDto] }) sources: ToolSearchSourceDto[];
}
