import { Module } from '@nestjs/common';
import { TregClient } from './treg-client.js';

/** Speaks Treg's HTTP API, for whoever needs it: the catalogue of tools and the check of a saved connection. */
@Module({ providers: [TregClient], exports: [TregClient] })
export class TregModule {}
