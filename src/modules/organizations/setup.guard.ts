import { type CanActivate, Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { FirstRun } from './first-run.service.js';

/** 404 unless the deployment waits to be set up, whatever the body says: afterwards there is nothing here to probe. */
@Injectable()
export class SetupGuard implements CanActivate {
  constructor(private readonly firstRun: FirstRun) {}

  async canActivate(): Promise<boolean> {
    if (await this.firstRun.isOpen()) return true;
    throw new HelixError('HTTP.UNKNOWN_ROUTE', 'There is nothing at this address.');
  }
}
