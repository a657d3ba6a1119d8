import { Component, type Endpoint } from '../../common/engine/api/component.js';
import { choice, readOptions } from '../../common/engine/api/options.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';

/** What steers workflows; the engine answers. */
export interface WorkflowControl {
  /** @throws HelixError `ENGINE.UNKNOWN_WORKFLOW` */
  stopWorkflow(id: string): Promise<void>;
  /** @throws HelixError `ENGINE.UNKNOWN_WORKFLOW`, `ENGINE.WORKFLOW_DISABLED`, `ENGINE.START_FAILED` */
  startWorkflow(id: string): Promise<void>;
  /** As {@link startWorkflow}. */
  restart(id: string): Promise<void>;
}

/** `control://workflow-id?action=stop`: the control bus (Enterprise Integration Patterns, "Control Bus"). */
export class ControlComponent extends Component {
  readonly scheme = 'control';
  readonly description = 'Starts, stops or restarts another workflow; the message stays as it is.';
  readonly options = {
    action: choice('What to do with the workflow.', ['start', 'stop', 'restart']),
  };

  constructor(private readonly control: () => WorkflowControl) {
    super();
  }

  endpoint(uri: EndpointUri): Endpoint {
    const { action } = readOptions(uri, this.options);
    const id = uri.path;
    if (id === '' || action === null) {
      throw new HelixError(
        'WORKSPACE.INVALID',
        'control:// needs a workflow and what to do with it: write control://workflow-id?action=stop.',
      );
    }
    return {
      uri,
      // Whoever can name the workflow could stop every one of them.
      writtenOnly: true,
      producer: () => async (exchange) => {
        // It would wait for itself.
        if (exchange.workflowId === id && action !== 'start')
          throw new HelixError('ENGINE.INVALID_MESSAGE', `The workflow "${id}" cannot ${action} itself.`);
        const control = this.control();
        if (action === 'start') await control.startWorkflow(id);
        else if (action === 'stop') await control.stopWorkflow(id);
        else await control.restart(id);
      },
    };
  }
}
