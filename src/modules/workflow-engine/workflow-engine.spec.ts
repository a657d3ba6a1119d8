import { Writable } from 'node:stream';
import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { Interceptor, type StepInfo } from '../../common/engine/api/interceptor.js';
import type { Processor } from '../../common/engine/api/processor.js';
import { StepType } from '../../common/engine/api/step-type.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import { workspaceOf, type WorkspaceInit } from '../../common/engine/testing/source.js';
import { TestComponent } from '../../common/engine/testing/test-engine.js';
import { UuidV7 } from '../../common/platform/database/uuid-v7.js';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { Metrics } from '../../common/platform/metrics/metrics.js';
import { AppRole } from '../../common/platform/platform.module.js';
import { ToolShelf } from '../tools/index.js';
import { WorkflowEngine, WorkflowEngineModule, WorkspaceSource } from './index.js';

@Injectable()
class ShoutStep extends StepType {
  readonly keyword = 'shout';
  readonly description = 'Makes the body loud.';
  readonly shape = {};
  compile(): Processor {
    return (exchange) => {
      exchange.body = String(exchange.body).toUpperCase();
    };
  }
}

@Injectable()
class NotingInterceptor extends Interceptor {
  readonly name = 'noting';
  readonly notes: string[] = [];
  intercept(
    _exchange: Exchange,
    { stepId }: StepInfo,
    next: () => void | Promise<void>,
  ): void | Promise<void> {
    this.notes.push(stepId);
    return next();
  }
}

@Module({
  providers: [
    ShoutStep,
    NotingInterceptor,
    { provide: TestComponent, useFactory: () => new TestComponent() },
  ],
})
class SomeModule {}

class FixedSource extends WorkspaceSource {
  constructor(private readonly init: WorkspaceInit) {
    super();
  }
  load({ builder }: Parameters<WorkspaceSource['load']>[0]) {
    const definition = workspaceOf(this.init);
    return Promise.resolve({ definition, problems: builder.check(definition) });
  }
}

async function boot(init: WorkspaceInit, role: 'own' | 'visit' = 'own') {
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  const parts = [
    { provide: HelixLog, useValue: new HelixLog({ level: 'silent', to: sink }) },
    { provide: Metrics, useValue: new Metrics() },
    { provide: UuidV7, useValue: new UuidV7() },
    { provide: AppRole, useValue: new AppRole(role) },
    { provide: HelixConfig, useValue: { workflows: [] } },
  ];
  @Module({})
  class Parts {}
  const module = await Test.createTestingModule({
    imports: [
      { module: Parts, global: true, providers: parts, exports: parts },
      WorkflowEngineModule,
      SomeModule,
    ],
  })
    .overrideProvider(WorkspaceSource)
    .useValue(new FixedSource(init))
    .compile();
  await module.init();
  return module;
}

const workspace: WorkspaceInit = {
  tools: [
    {
      id: 'shouter',
      description: 'Shouts.',
      steps: [{ 'set-body': { starlang: 'payload.text' } }, { shout: null }],
    },
  ],
  workflows: [{ id: 'w', from: 'test://w', steps: [{ 'set-body': 'quiet' }, { shout: null }] }],
};

describe('the engine in the app', () => {
  it('finds components, step types and interceptors of any module, starts and drains with the app', async () => {
    const module = await boot(workspace);
    const engine = module.get(WorkflowEngine);
    const exchange = engine.exchange('w', {});
    await engine.run('w', exchange);
    expect(exchange.body).toBe('QUIET');
    expect(module.get(NotingInterceptor, { strict: false }).notes).toEqual(['set-body[0]', 'shout[1]']);
    expect(module.get(Metrics).render()).toContain(
      'helix_step_attempts_total{workflow="w",keyword="shout",outcome="ok"} 1',
    );
    const component = module.get(TestComponent, { strict: false });
    expect([...component.listening]).toEqual(['w']);
    await module.close();
    expect([...component.listening]).toEqual([]);
    expect(engine.list()).toEqual([]);
  });

  it('fills the shelf of tools, whose list is the same as long as the tools are', async () => {
    const module = await boot(workspace);
    const shelf = module.get(ToolShelf);
    expect(shelf.all()).toMatchObject([
      { definition: { id: 'shouter' }, inputSchema: { type: 'object' }, outputSchema: null },
    ]);
    expect(shelf.all()).toBe(shelf.all());
    expect((await shelf.engine.request('tool://shouter', { body: { text: 'hi' } })).body).toBe('HI');
    await module.close();
  });

  it('does not start on a workspace with an error, and says what is wrong', async () => {
    const wrong = { workflows: [{ id: 'w', from: 'test://w', steps: [{ shuot: null }] }] };
    await expect(boot(wrong)).rejects.toThrow(
      /unknown-step: There is no step "shuot"; did you mean "shout"\?/,
    );
  });

  it('starts nothing for a command that only looks in, but knows the tools', async () => {
    const module = await boot(workspace, 'visit');
    expect(module.get(WorkflowEngine).list()).toEqual([]);
    expect(module.get(ToolShelf).all()).toHaveLength(1);
    expect([...module.get(TestComponent, { strict: false }).listening]).toEqual([]);
    await module.close();
  });
});
