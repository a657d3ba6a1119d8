import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiFoundResponse, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { headersNamed } from '../../../common/platform/http/openapi/answer-headers.js';
import { ApiAnyOtherFailure } from '../../../common/platform/http/openapi/errors.decorator.js';
import { Operation } from '../operation.decorator.js';
import { OidcService } from './oidc.service.js';
import { returnPath } from './return-path.js';

const noLogin = 'This deployment has no corporate login.';

@ApiTags('Sessions')
@Controller('v1/api/auth/oidc')
export class OidcController {
  constructor(private readonly oidc: OidcService) {}

  @Operation({
    id: 'startCorporateLogin',
    summary: 'Begin a corporate login',
    description: 'For a browser: leads to the identity provider (OpenID Connect) and back.',
    needs: 'public',
    errors: { 400: 'returnTo is no path of this site.', 404: noLogin },
  })
  @ApiQuery({
    name: 'returnTo',
    required: false,
    description: 'Path of this site to go to afterwards; default /docs.',
    schema: { type: 'string', default: '/docs' },
  })
  @ApiFoundResponse({
    description: 'To the identity provider.',
    headers: headersNamed('Location', 'Set-Cookie'),
  })
  @ApiAnyOtherFailure()
  @Get('start')
  async start(
    @Req() request: Request,
    @Res() response: Response,
    @Query('returnTo') returnTo: unknown = '/docs',
  ): Promise<void> {
    const path = typeof returnTo === 'string' ? returnPath(returnTo) : null;
    if (path === null)
      throw new HelixError('HTTP.BAD_REQUEST', 'returnTo must be a path of this site, such as /docs.');
    leadTo(await this.oidc.begin(request, path), response);
  }

  @Operation({
    id: 'finishCorporateLogin',
    summary: 'Finish a corporate login',
    description: 'The identity provider sends the browser here. Sets the session cookie.',
    needs: 'public',
    errorsSetCookie: true,
    errors: {
      403: 'The login was not proved, was used before, or its person is not let in.',
      404: noLogin,
      409: 'There is an account with this address and a password: log in with it first.',
    },
  })
  @ApiFoundResponse({
    description: 'The session has begun.',
    headers: headersNamed('Location', 'Set-Cookie'),
  })
  @ApiAnyOtherFailure()
  @Get('callback')
  async finish(@Req() request: Request, @Res() response: Response): Promise<void> {
    leadTo(await this.oidc.finish(request), response);
  }
}

/** Without the sentence that Express would write into the body: the address holds the state of the login. */
function leadTo(address: string, response: Response): void {
  response.status(302).location(address).end();
}
