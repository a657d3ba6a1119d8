import type { WorkflowDirectory } from '../../common/engine/api/workflow-directory.js';
import type { ResourceOffer, ResourceText } from './tool-source.js';

/** The one resource of the server (contract/mcp-server-component, "Resources"). */
export const workflowsResource = {
  uri: 'helix://workflows',
  name: 'workflows',
  description: 'Every workflow of this server: id, what triggers it, what it does, and its state.',
  mimeType: 'application/json',
} as const satisfies ResourceOffer;

export function readWorkflows(directory: WorkflowDirectory): ResourceText {
  const workflows = directory
    .list()
    .map(({ id, from, description, state }) => ({ id, from, description, state }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    uri: workflowsResource.uri,
    mimeType: workflowsResource.mimeType,
    text: JSON.stringify(workflows),
  };
}
