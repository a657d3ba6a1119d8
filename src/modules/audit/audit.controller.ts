import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { administrators, Auth, type AuthContext, Operation } from '../access/index.js';
import { AuditService } from './audit.service.js';
import { AuditLogDto, ListAuditLogQuery } from './dto/audit-entry.dto.js';

@ApiTags('Audit')
@Controller('v1/api/audit-log')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Operation({
    id: 'listAuditLog',
    summary: 'Read who changed what in the workspace',
    needs: 'workspace',
    roles: administrators,
    scope: 'admin:*',
    errors: { 400: 'The request named no active organization, or a parameter is wrong.' },
  })
  @ApiOkResponse({ type: AuditLogDto, description: 'Newest first, with stable keyset pagination.' })
  @Get()
  async list(@Auth() auth: AuthContext, @Query() query: ListAuditLogQuery): Promise<AuditLogDto> {
    const { action = null, limit = '30', cursor } = query;
    const page = { action, limit: Number(limit), cursor };
    const { items, nextCursor } = await this.audit.list(auth.organizationId, page);
    return {
      items: items.map((entry) => ({
        ...entry,
        details: { ...entry.details },
        createdAt: entry.createdAt.toISOString(),
      })),
      nextCursor,
    };
  }
}
