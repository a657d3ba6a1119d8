import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { headersNamed } from '../../../common/platform/http/openapi/answer-headers.js';
import { CurrentIdentity } from '../auth.decorator.js';
import type { Identity } from '../auth-context.js';
import { CrossSiteGuard } from '../guards/cross-site.guard.js';
import { Operation } from '../operation.decorator.js';
import { People } from '../people.js';
import { ChangePasswordDto, LoginDto, MeDto, SessionDto } from './dto/session.dto.js';
import { presentSession } from './session.presenter.js';
import { SessionsService } from './sessions.service.js';

const ofSession = { needs: 'identity', session: 'any' } as const;

@ApiTags('Sessions')
@Controller('v1/api')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly people: People,
    private readonly crossSite: CrossSiteGuard,
  ) {}

  @Operation({
    id: 'login',
    summary: 'Begin a browser session with e-mail and password',
    description: 'Sets the session cookie; requests with it act as the person, in the active workspace.',
    needs: 'public',
    hasBody: true,
    errors: { 401: 'E-mail or password is wrong.', 403: 'A page of another site made the request.' },
  })
  @ApiOkResponse({
    type: SessionDto,
    description: 'The session has begun.',
    headers: headersNamed('Set-Cookie'),
  })
  @Post('auth/login')
  @HttpCode(200)
  async login(@Req() request: Request, @Body() body: LoginDto): Promise<SessionDto> {
    this.crossSite.refuseForeign(request);
    return presentSession(await this.sessions.login(request, body));
  }

  @Operation({ id: 'logout', summary: 'End the browser session', ...ofSession })
  @ApiNoContentResponse({
    description: 'The session is over; its cookie is refused from now on, and the browser told to forget it.',
    headers: headersNamed('Set-Cookie'),
  })
  @Post('auth/logout')
  @HttpCode(204)
  logout(@Req() request: Request): Promise<void> {
    return this.sessions.end(request);
  }

  @Operation({ id: 'getSession', summary: 'Read the browser session', ...ofSession })
  @ApiOkResponse({ type: SessionDto, description: 'The session of the cookie.' })
  @Get('auth/session')
  async read(@Req() request: Request): Promise<SessionDto> {
    return presentSession(await this.sessions.current(request));
  }

  @Operation({
    id: 'changePassword',
    summary: 'Change the password',
    description: 'Ends every other session of the person.',
    hasBody: true,
    errors: { 403: 'The current password is wrong, or the caller is an API key.' },
    ...ofSession,
  })
  @ApiOkResponse({
    type: SessionDto,
    description: 'The session, under a new cookie.',
    headers: headersNamed('Set-Cookie'),
  })
  @Post('auth/password')
  @HttpCode(200)
  async changePassword(@Req() request: Request, @Body() body: ChangePasswordDto): Promise<SessionDto> {
    return presentSession(await this.sessions.changePassword(request, body));
  }

  @Operation({ id: 'getMe', summary: 'Read who is asking', needs: 'identity' })
  @ApiOkResponse({ type: MeDto, description: 'The person behind the session or key.' })
  @Get('me')
  async me(@CurrentIdentity() identity: Identity): Promise<MeDto> {
    const person = await this.people.find(identity.userId);
    return {
      credential: identity.type === 'user' ? 'session' : identity.type,
      id: identity.userId,
      name: person?.name ?? '',
      email: person?.email ?? null,
      isVerified: person?.isVerified ?? false,
      organizationId: identity.defaultOrganizationId,
    };
  }
}
