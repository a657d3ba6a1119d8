export { fundings, type CatalogueTool, type Funding, type FundingSource } from './tool-descriptor.js';
export { PayerChoice } from './payer-choice.js';
export { ToolDispatcher, type DispatchOutcome } from './tool-dispatcher.js';
export { ToolShelf, type ShelvedTool } from './tool-shelf.js';
export { ToolsModule } from './tools.module.js';
export { ToolsService } from './tools.service.js';
