import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { headersNamed } from '../../common/platform/http/openapi/answer-headers.js';
import { actorOf, Auth, type AuthContext, Operation } from '../access/index.js';
import { LedgerEntryListDto, ReservationListDto, WalletDto, WalletMovementDto } from './dto/funding.dto.js';
import { ListMoneyQuery } from './dto/list-money.query.js';
import { AdjustmentDto, TopUpDto } from './dto/move-money.dto.js';
import { presentEntry, presentReservation, presentWallet } from './funding.presenter.js';
import type { NewEntry } from './funding.repository.js';
import { FundingService } from './funding.service.js';

const reading = { needs: 'workspace', scope: 'calls:read' } as const;
const listing = {
  ...reading,
  errors: { 400: 'The request named no active organization, or a parameter is wrong.' },
} as const;
const moving = {
  needs: 'workspace',
  roles: ['owner'],
  scope: 'admin:*',
  hasBody: true,
  errors: { 409: 'This key already identifies a different movement.' },
} as const;
const replayed = {
  status: 200,
  type: WalletMovementDto,
  headers: headersNamed('Idempotent-Replayed'),
  description: 'Same idempotency key and request: the existing movement.',
} as const;
const moved = { status: 201, type: WalletMovementDto, description: 'The money was moved.' } as const;

@ApiTags('Wallet')
@Controller('v1/api')
export class FundingController {
  constructor(
    private readonly funding: FundingService,
    private readonly config: HelixConfig,
  ) {}

  @Operation({ id: 'getWallet', summary: 'Read balance and headroom of the workspace', ...reading })
  @ApiOkResponse({ type: WalletDto, description: 'Empty where nobody paid in yet.' })
  @Get('wallet')
  async wallet(@Auth() auth: AuthContext): Promise<WalletDto> {
    return presentWallet(await this.funding.wallet(auth.organizationId));
  }

  @Operation({ id: 'listLedger', summary: 'List the movements of the wallet', ...listing })
  @ApiOkResponse({ type: LedgerEntryListDto, description: 'Newest first, with stable keyset pagination.' })
  @Get('wallet/ledger')
  async ledger(@Auth() auth: AuthContext, @Query() query: ListMoneyQuery): Promise<LedgerEntryListDto> {
    const { items, nextCursor } = await this.funding.ledger(auth.organizationId, pageOf(query));
    return { items: items.map(presentEntry), nextCursor };
  }

  @Operation({ id: 'listReservations', summary: 'List what calls hold of the wallet now', ...listing })
  @ApiOkResponse({ type: ReservationListDto, description: 'Newest first, with stable keyset pagination.' })
  @Get('reservations')
  async reservations(@Auth() auth: AuthContext, @Query() query: ListMoneyQuery): Promise<ReservationListDto> {
    const { items, nextCursor } = await this.funding.reservations(auth.organizationId, pageOf(query));
    return { items: items.map(presentReservation), nextCursor };
  }

  @Operation({ id: 'topUpWallet', summary: 'Put money into the wallet of the workspace', ...moving })
  @ApiResponse(replayed)
  @ApiResponse(moved)
  @Post('wallet/top-ups')
  topUp(
    @Auth() auth: AuthContext,
    @Body() body: TopUpDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WalletMovementDto> {
    return this.#move(auth, 'top_up', body, response);
  }

  @Operation({
    id: 'adjustWallet',
    summary: 'Correct the wallet of the workspace',
    description: 'For example after the cost of a call that stayed unknown was cleared up with its provider.',
    ...moving,
  })
  @ApiResponse(replayed)
  @ApiResponse(moved)
  @Post('wallet/adjustments')
  adjust(
    @Auth() auth: AuthContext,
    @Body() body: AdjustmentDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WalletMovementDto> {
    return this.#move(auth, 'adjustment', body, response);
  }

  async #move(
    auth: AuthContext,
    kind: NewEntry['kind'],
    { amountMicros, reason, idempotencyKey }: TopUpDto | AdjustmentDto,
    response: Response,
  ): Promise<WalletMovementDto> {
    if (this.config.walletAdmin === 'operator')
      throw new HelixError(
        'FUNDING.OPERATOR_ONLY',
        'In this deployment only its operator moves money, with the command "helix wallet".',
      );
    const { organizationId } = auth;
    const { entry, wallet, isReplay } = await this.funding.move(
      { organizationId, kind, amountMicros, reason, idempotencyKey },
      actorOf(auth),
    );
    response.status(isReplay ? 200 : 201);
    if (isReplay) response.setHeader('Idempotent-Replayed', 'true');
    return { entry: presentEntry(entry), wallet: presentWallet(wallet) };
  }
}

function pageOf({ limit = '30', cursor }: ListMoneyQuery) {
  return { limit: Number(limit), cursor };
}
