import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Text, WholeNumber } from '../../../common/platform/http/dto/validators.js';
import { mostMicros } from '../funding.js';

abstract class MovementDto {
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: 200,
    description:
      'Identifies this movement within the workspace. Send the same value when you retry; a new value moves money again.',
    example: 'invoice-2026-0042',
  })
  @Text({ min: 1, max: 200 })
  idempotencyKey: string;

  @ApiProperty({ type: String, minLength: 1, maxLength: 500, example: 'Invoice 2026-0042' })
  @Text({ min: 1, max: 500 })
  reason: string;
}

@ApiSchema({ name: 'WalletTopUp' })
export class TopUpDto extends MovementDto {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: mostMicros,
    description: 'USD micros that come into the wallet.',
    example: 5_000_000,
  })
  @WholeNumber({ min: 1, max: mostMicros })
  amountMicros: number;
}

@ApiSchema({ name: 'WalletAdjustment' })
export class AdjustmentDto extends MovementDto {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: -mostMicros,
    maximum: mostMicros,
    description: 'USD micros; below zero they leave the wallet.',
    example: -1_200,
  })
  @WholeNumber({ min: -mostMicros, max: mostMicros })
  amountMicros: number;
}
