import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { HelixConfig } from '../config/helix-config.js';
import { HelixLog } from '../logging/helix-log.js';
import { Envelope } from './envelope.js';
import { KeyRotation } from './key-rotation.js';
import { KeyringCanaryEntity } from './keyring-canary.entity.js';
import { Keyring } from './keyring.js';
import { PageCursors } from './page-cursors.js';
import { openKeyring } from './open-keyring.js';
import { SealedTables } from './sealed-tables.js';

/** The keyring, proved against the database before anyone gets it; the envelope of stored secrets, and page cursors. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([KeyringCanaryEntity])],
  providers: [
    { provide: Keyring, inject: [HelixConfig, DataSource, HelixLog], useFactory: openKeyring },
    Envelope,
    PageCursors,
    SealedTables,
    KeyRotation,
  ],
  exports: [Keyring, Envelope, PageCursors, SealedTables, KeyRotation],
})
export class CryptoModule {}
