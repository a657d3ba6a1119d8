import type { Component } from '../../common/engine/api/component.js';
import type { StageParts } from './stage.js';
import { readEnvironment } from '../../common/platform/config/env.js';
import type { Terminal } from '../terminal.js';

/** The components that reach outside, with the means that `helix run` gives them. Loaded only where a test asks for it. */
export async function outwardComponents({ environment }: Terminal): Promise<StageParts['outward']> {
  const { EgressGuard, GuardedHttpCaller } = await import('../../common/platform/egress/index.js');
  const { SdkMcpCaller } = await import('../../modules/mcp-client/index.js');
  const { PgSqlCaller } = await import('../../modules/sql/index.js');
  const { FileComponent } = await import('../../components/file/index.js');
  const { HttpComponent } = await import('../../components/http/index.js');
  const { McpComponent } = await import('../../components/mcp/mcp.component.js');
  const { SqlComponent } = await import('../../components/sql/index.js');
  const { privateEgress } = readEnvironment(environment);
  return (ids, clock, log): readonly Component[] => {
    const guard = new EgressGuard(privateEgress);
    const caller = new GuardedHttpCaller(guard);
    return [
      new FileComponent({ clock, ids, log }),
      new HttpComponent('http', caller, clock),
      new HttpComponent('https', caller, clock),
      new McpComponent(new SdkMcpCaller(guard), clock),
      new SqlComponent(new PgSqlCaller(log), clock),
    ];
  };
}
