import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SealedTables } from '../../common/platform/crypto/sealed-tables.js';
import { TregModule } from '../treg/index.js';
import { ConnectionEntity } from './connection.entity.js';
import { ConnectionsController } from './connections.controller.js';
import { ConnectionsRepository } from './connections.repository.js';
import { ConnectionsService } from './connections.service.js';

@Module({
  imports: [TregModule, TypeOrmModule.forFeature([ConnectionEntity])],
  controllers: [ConnectionsController],
  providers: [ConnectionsRepository, ConnectionsService],
  exports: [ConnectionsService],
})
export class ConnectionsModule implements OnModuleInit {
  constructor(
    private readonly sealed: SealedTables,
    private readonly connections: ConnectionsRepository,
  ) {}

  onModuleInit(): void {
    this.sealed.add(this.connections);
  }
}
