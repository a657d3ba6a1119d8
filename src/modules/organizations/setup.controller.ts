import { Body, Controller, Post, Req, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Operation } from '../access/index.js';
import { SetupDto, SetupResultDto } from './dto/setup.dto.js';
import { FirstRun } from './first-run.service.js';
import { SetupGuard } from './setup.guard.js';

@ApiTags('Organizations')
@Controller('v1/api/setup')
export class SetupController {
  constructor(private readonly firstRun: FirstRun) {}

  @Operation({
    id: 'setup',
    summary: 'Make the first workspace, its owner and one API key',
    description: 'Once, with the token of the log, where HELIX_FIRST_RUN=setup; 404 ever after.',
    needs: 'public',
    hasBody: true,
    errors: { 401: 'The token is wrong.', 404: 'This deployment is set up.' },
  })
  @ApiCreatedResponse({ type: SetupResultDto, description: 'The deployment is set up.' })
  @Post()
  @UseGuards(SetupGuard)
  setup(@Body() body: SetupDto, @Req() request: Request): Promise<SetupResultDto> {
    return this.firstRun.setup(body, request.ip ?? '');
  }
}
