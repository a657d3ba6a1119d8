import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Text } from '../../../common/platform/http/dto/validators.js';
import { type ProjectAccess, projectAccesses } from '../../access/index.js';

@ApiSchema({ name: 'Project' })
export class ProjectDto {
  @ApiProperty({ type: String, description: 'For `projectId` of a call.' }) id: string;
  @ApiProperty({ type: String }) organizationId: string;
  @ApiProperty({ type: String, example: 'Autumn campaign' }) name: string;
  @ApiProperty({ type: 'integer', example: 1, description: 'For If-Match.' }) revision: number;
  @ApiProperty({ type: String, format: 'date-time' }) createdAt: string;
}

@ApiSchema({ name: 'ProjectList' })
export class ProjectListDto {
  @ApiProperty({ type: [ProjectDto] }) items: ProjectDto[];
}

@ApiSchema({ name: 'NameProject' })
export class NameProjectDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: 100, example: 'Autumn campaign' })
  @Text({ min: 1, max: 100 })
  name: string;
}

@ApiSchema({ name: 'Collaborator', description: 'A person who is no member, let into one project.' })
export class CollaboratorDto {
  @ApiProperty({ type: String }) projectId: string;
  @ApiProperty({ type: String }) userId: string;
  @ApiProperty({ type: String, example: 'Vic Example' }) name: string;
  @ApiProperty({ type: String, nullable: true, example: 'vic@example.com' }) email: string | null;
  @ApiProperty({
    type: String,
    enum: [...projectAccesses],
    description: 'read: see tools and calls of the project. write: call tools as well.',
  })
  access: ProjectAccess;
  @ApiProperty({ type: 'integer', example: 1, description: 'For If-Match.' }) revision: number;
  @ApiProperty({ type: String, format: 'date-time' }) createdAt: string;
}

@ApiSchema({ name: 'CollaboratorList' })
export class CollaboratorListDto {
  @ApiProperty({ type: [CollaboratorDto] }) items: CollaboratorDto[];
}

@ApiSchema({ name: 'GrantAccess' })
export class GrantAccessDto {
  @ApiProperty({ type: String, enum: [...projectAccesses], example: 'write' })
  @IsIn(projectAccesses)
  access: ProjectAccess;
}
