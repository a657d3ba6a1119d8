import type { SessionDto } from './dto/session.dto.js';
import { type SessionFacts, sessionLifetimeMs } from './session.js';
import type { OpenSession } from './sessions.service.js';

export function presentSession({ facts, person }: OpenSession): SessionDto {
  return {
    user: { id: person.id, name: person.name, email: person.email, isVerified: person.isVerified },
    activeOrganizationId: facts.activeOrganizationId,
    method: facts.method,
    createdAt: facts.createdAt,
    expiresAt: endOf(facts),
  };
}

function endOf({ createdAt }: SessionFacts): string {
  return new Date(Date.parse(createdAt) + sessionLifetimeMs).toISOString();
}
