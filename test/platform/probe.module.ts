import {
  Body,
  Controller,
  Delete,
  Get,
  HttpException,
  Module,
  Param,
  Post,
  Query,
  UnauthorizedException,
} from '@nestjs/common';
import { UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { IsIn, IsObject, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { HelixError } from '../../src/common/engine/errors/helix-error.js';
import { FreeForm } from '../../src/common/platform/http/dto/free-form.js';
import { Optional, Text, WholeNumber } from '../../src/common/platform/http/dto/validators.js';
import { ApiErrors, ApiInvalidBody } from '../../src/common/platform/http/openapi/errors.decorator.js';
import { HealthModule } from '../../src/modules/health/index.js';

class Inner {
  @Text({ min: 1, max: 5 }) name: string;
}

class ProbeDto {
  @FreeForm() @IsObject() input: Record<string, unknown>;
  @Optional() @Text({ min: 1, max: 10 }) projectId?: string;
  @Optional() @WholeNumber({ min: 0 }) maxCostMicros?: number;
  @Optional() @IsIn(['auto', 'hlix']) funding?: string;
  @Optional() @ValidateNested() @Type(() => Inner) inner?: Inner;
}

class ProbeQuery {
  @Optional() @Text({ max: 3 }) limit?: string;
}

class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest<Request>().headers['x-api-key'] !== 'right')
      throw new UnauthorizedException();
    return true;
  }
}

/** Everything that can go wrong in a handler, on purpose. */
@Controller('probe')
class ProbeController {
  constructor(private readonly dataSource: DataSource) {}

  @Post('echo')
  @ApiOperation({ operationId: 'probeEcho' })
  @ApiInvalidBody()
  @ApiErrors({ 401: 'No valid session or API key.' })
  echo(@Body() dto: ProbeDto): unknown {
    return { own: Object.getOwnPropertyNames(dto.input), input: dto.input, isDto: dto instanceof ProbeDto };
  }

  @Post('guarded')
  @UseGuards(KeyGuard)
  guarded(@Body() bytes: Buffer): number {
    return bytes.length;
  }

  @Get('query')
  query(@Query() query: ProbeQuery): unknown {
    return { limit: query.limit };
  }

  @Get('one')
  one(@Query('cursor') cursor?: string): unknown {
    return { cursor };
  }

  @Get('rows/:id')
  async row(@Param('id') id: string): Promise<unknown> {
    return this.dataSource.query('SELECT $1::uuid AS id', [id]);
  }

  @Get('fail/:how')
  async fail(@Param('how') how: string): Promise<unknown> {
    switch (how) {
      case 'bug':
        throw new TypeError('cannot read tok_visible of undefined');
      case 'sql':
        return this.dataSource.query('SELECT visible FROM nowhere WHERE token = $1', ['tok_visible']);
      case 'operator':
        throw new HelixError('MCP.CONNECT_FAILED', 'http://10.0.0.7:9000 tok_visible refused');
      case 'caller':
        throw new HelixError('CALL.IDEMPOTENCY_MISMATCH', 'This key already identifies a different request.');
      case 'limited':
        throw new HelixError('ACCESS.RATE_LIMITED', 'Slow down.', { details: { retryAfterSeconds: 2.2 } });
      case 'nest':
        throw new HttpException({ message: 'tok_visible', statusCode: 418 }, 418);
      case 'string':
        // Whatever a library throws must come out as an answer.
        // oxlint-disable-next-line typescript/only-throw-error
        throw 'tok_visible';
      default:
        throw new HelixError('CALL.INSUFFICIENT_HEADROOM', 'Not enough.');
    }
  }

  @Delete('nothing')
  nothing(): void {}
}

@Module({ imports: [HealthModule], controllers: [ProbeController] })
export class ProbeModule {}
