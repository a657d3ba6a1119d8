import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { type MemberRole, memberRoles } from '../../access/index.js';

@ApiSchema({ name: 'Member' })
export class MemberDto {
  @ApiProperty({ type: String }) userId: string;
  @ApiProperty({ type: String, example: 'Ann Example' }) name: string;
  @ApiProperty({ type: String, nullable: true, example: 'ann@example.com' }) email: string | null;
  @ApiProperty({ type: String, enum: [...memberRoles] }) role: MemberRole;
  @ApiProperty({ type: 'integer', example: 1, description: 'For If-Match.' }) revision: number;
  @ApiProperty({ type: String, format: 'date-time' }) createdAt: string;
}

@ApiSchema({ name: 'MemberList' })
export class MemberListDto {
  @ApiProperty({ type: [MemberDto] }) items: MemberDto[];
}

@ApiSchema({ name: 'ChangeMember' })
export class ChangeMemberDto {
  @ApiProperty({ type: String, enum: [...memberRoles], example: 'admin' })
  @IsIn(memberRoles)
  role: MemberRole;
}
