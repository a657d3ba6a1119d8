import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { administrators, Auth, type AuthContext, Operation } from '../access/index.js';
import type { LetterFilter } from './dead-letter.js';
import { presentLetter, presentSummary } from './dead-letter.presenter.js';
import { DeadLettersService } from './dead-letters.service.js';
import { DeadLetterBulkDto, DeadLetterBulkResultDto } from './dto/bulk-dead-letters.dto.js';
import { DeadLetterDto, DeadLetterListDto } from './dto/dead-letter.dto.js';
import { ListDeadLettersQuery } from './dto/list-dead-letters.query.js';

const reading = { needs: 'workspace', scope: 'calls:read' } as const;
const writing = { needs: 'workspace', roles: administrators, scope: 'admin:*' } as const;
const unknown = { 404: 'No such dead letter in this workspace.' } as const;
const once = {
  ...unknown,
  409: 'The letter was sent again or discarded already, or it cannot be sent again.',
} as const;

@ApiTags('Dead letters')
@Controller('v1/api/dead-letters')
export class DeadLettersController {
  constructor(private readonly letters: DeadLettersService) {}

  @Operation({ id: 'listDeadLetters', summary: 'List messages that workflows could not do', ...reading })
  @ApiOkResponse({ type: DeadLetterListDto, description: 'Newest first, with stable keyset pagination.' })
  @Get()
  async list(@Auth() auth: AuthContext, @Query() query: ListDeadLettersQuery): Promise<DeadLetterListDto> {
    const { limit = '30', cursor } = query;
    const { items, nextCursor } = await this.letters.list(auth, filterOf(query), {
      limit: Number(limit),
      cursor,
    });
    return { items: items.map(presentSummary), nextCursor };
  }

  @Operation({
    id: 'replayDeadLetters',
    summary: 'Send matching dead letters again',
    description: 'One after the other, oldest first; answered when all of them have ended.',
    hasBody: true,
    ...writing,
  })
  @ApiOkResponse({ type: DeadLetterBulkResultDto })
  @Post('replay')
  @HttpCode(200)
  replayAll(@Auth() auth: AuthContext, @Body() body: DeadLetterBulkDto): Promise<DeadLetterBulkResultDto> {
    return this.letters.replayAll(auth, filterOf(body), body.limit ?? 100);
  }

  @Operation({
    id: 'discardDeadLetters',
    summary: 'Discard matching dead letters',
    hasBody: true,
    ...writing,
  })
  @ApiOkResponse({ type: DeadLetterBulkResultDto })
  @Post('discard')
  @HttpCode(200)
  discardAll(@Auth() auth: AuthContext, @Body() body: DeadLetterBulkDto): Promise<DeadLetterBulkResultDto> {
    return this.letters.discardAll(auth, filterOf(body), body.limit ?? 100);
  }

  @Operation({ id: 'getDeadLetter', summary: 'Read a dead letter', errors: unknown, ...reading })
  @ApiOkResponse({ type: DeadLetterDto })
  @Get(':letterId')
  async read(@Auth() auth: AuthContext, @Param('letterId') id: string): Promise<DeadLetterDto> {
    return presentLetter(await this.letters.read(auth, id));
  }

  @Operation({
    id: 'replayDeadLetter',
    summary: 'Send a dead letter again',
    description:
      'The workflow runs anew on the message as it received it. Once: the letter is then `replayed`, and how that ended ' +
      'stands in `replay`. A replay that fails leaves an open letter: one of its own, or this one.',
    errors: once,
    ...writing,
  })
  @ApiOkResponse({ type: DeadLetterDto, description: 'After the end, or after some seconds.' })
  @Post(':letterId/replay')
  @HttpCode(200)
  async replay(@Auth() auth: AuthContext, @Param('letterId') id: string): Promise<DeadLetterDto> {
    return presentLetter(await this.letters.replay(auth, id));
  }

  @Operation({ id: 'discardDeadLetter', summary: 'Discard a dead letter', errors: once, ...writing })
  @ApiOkResponse({ type: DeadLetterDto, description: 'It stays readable until its time is over.' })
  @Post(':letterId/discard')
  @HttpCode(200)
  async discard(@Auth() auth: AuthContext, @Param('letterId') id: string): Promise<DeadLetterDto> {
    return presentLetter(await this.letters.discard(auth, id));
  }
}

function filterOf(from: Partial<LetterFilter> | ListDeadLettersQuery | DeadLetterBulkDto): LetterFilter {
  const { queue = null, workflowId = null, code = null } = from;
  return { queue, workflowId, code, state: ('state' in from ? from.state : null) ?? null };
}
