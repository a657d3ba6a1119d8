import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  administrators,
  Auth,
  type AuthContext,
  ChangeOperation,
  IfMatch,
  Operation,
} from '../../access/index.js';
import { ChangeMemberDto, MemberDto, MemberListDto } from '../dto/member.dto.js';
import type { Member } from '../organization.js';
import { MembersService } from './members.service.js';

const errors = {
  404: 'There is no such member in this workspace.',
  409: 'The workspace would be left without an owner.',
} as const;

@ApiTags('Members')
@Controller('v1/api/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Operation({
    id: 'listMembers',
    summary: 'List the members of the workspace',
    needs: 'workspace',
    scope: 'admin:*',
  })
  @ApiOkResponse({ type: MemberListDto, description: 'Longest-standing first.' })
  @Get()
  async list(@Auth() auth: AuthContext): Promise<MemberListDto> {
    return { items: (await this.members.list(auth.organizationId)).map(present) };
  }

  @ChangeOperation({
    id: 'changeMember',
    summary: 'Give a member another role',
    description:
      'Owners are made, and made less, by owners only, and with a browser session of a verified person.',
    needs: 'workspace',
    roles: administrators,
    scope: 'admin:*',
    hasBody: true,
    errors,
  })
  @ApiOkResponse({ type: MemberDto, description: 'The member with the new role.' })
  @Patch(':userId')
  async change(
    @Auth() auth: AuthContext,
    @Param('userId') userId: string,
    @IfMatch() revision: number | null,
    @Body() { role }: ChangeMemberDto,
  ): Promise<MemberDto> {
    return present(await this.members.changeRole(auth, userId, role, revision));
  }

  @ChangeOperation({
    id: 'removeMember',
    summary: 'Remove a member, or leave',
    description: 'Keys that stand on the membership are refused from then on.',
    needs: 'workspace',
    scope: 'admin:*',
    errors,
  })
  @ApiOkResponse({ type: MemberDto, description: 'The member as it was.' })
  @Delete(':userId')
  async remove(
    @Auth() auth: AuthContext,
    @Param('userId') userId: string,
    @IfMatch() revision: number | null,
  ): Promise<MemberDto> {
    return present(await this.members.remove(auth, userId, revision));
  }
}

function present({ createdAt, ...member }: Member): MemberDto {
  return { ...member, createdAt: createdAt.toISOString() };
}
