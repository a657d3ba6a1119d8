import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Component } from '../../common/engine/api/component.js';
import { Interceptor } from '../../common/engine/api/interceptor.js';
import { StepType } from '../../common/engine/api/step-type.js';

/** What modules brought for the engine. */
export interface EngineParts {
  readonly components: readonly Component[];
  readonly steps: readonly StepType[];
  readonly interceptors: readonly Interceptor[];
}

/** Finds components, step types and interceptors among the providers of all modules: being listed is enough. */
@Injectable()
export class EngineExplorer {
  constructor(private readonly discovery: DiscoveryService) {}

  explore(): EngineParts {
    const found = new Set(
      this.discovery
        .getProviders()
        .filter((provider) => provider.isDependencyTreeStatic())
        .map((provider): unknown => provider.instance),
    );
    const instances = [...found];
    return {
      components: instances.filter((each) => each instanceof Component),
      steps: instances.filter((each) => each instanceof StepType),
      interceptors: instances.filter((each) => each instanceof Interceptor),
    };
  }
}
