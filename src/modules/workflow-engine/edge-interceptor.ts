import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import type { Interceptor, StepInfo } from '../../common/engine/api/interceptor.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { chainOrder } from '../../common/engine/interceptors/engine-chain.js';
import { Exchange } from '../../common/engine/model/exchange.js';
import { hasUnreadBody } from '../../common/platform/http/body.interceptor.js';
import { currentRequestId } from '../../common/platform/http/request-context.js';

/** Stands for the API where a step has its workflow; no workflow can be called so. */
const API = '@rest';

/** One exchange for each request, which all links see as they would see a workflow's. */
const exchanges = new WeakMap<Request, Exchange>();

/** Of each handler, by its controller: what counts by step finds it again. */
const steps = new WeakMap<object, Map<string, StepInfo>>();

/** Whoever runs the chain; its links exist once all modules have brought their parts. */
export interface ChainHolder {
  readonly chain: readonly Interceptor[];
}

/**
 * One link of the engine's chain around the handlers of the API: the same instance that stands around each step of a
 * workflow, so that a request is traced, counted and given up as a step is. Handlers that write the answer themselves
 * (streams, protocols) are left alone.
 */
export class EdgeInterceptor implements NestInterceptor {
  readonly #reflector = new Reflector();

  constructor(
    readonly name: (typeof chainOrder)[number],
    private readonly holder: ChainHolder,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http' || hasUnreadBody(this.#reflector, context)) return next.handle();
    const http = context.switchToHttp();
    const exchange = exchangeOf(http.getRequest<Request>(), http.getResponse<Response>());
    const step = stepOf(context);
    return defer(async () => {
      let answer: unknown;
      await this.#link.intercept(exchange, step, async () => {
        answer = await lastValueFrom(next.handle(), { defaultValue: undefined });
      });
      return answer;
    });
  }

  get #link(): Interceptor {
    const link = this.holder.chain.find(({ name }) => name === this.name);
    if (link) return link;
    throw new HelixError('ENGINE.INTERNAL', `The engine's chain has no link "${this.name}".`);
  }
}

function stepOf(context: ExecutionContext): StepInfo {
  const controller = context.getClass();
  const { name } = context.getHandler();
  const known = steps.get(controller) ?? new Map<string, StepInfo>();
  steps.set(controller, known);
  let step = known.get(name);
  if (step === undefined) {
    step = { workflowId: API, stepId: `${controller.name}.${name}`, keyword: 'http' };
    known.set(name, step);
  }
  return step;
}

function exchangeOf(request: Request, response: Response): Exchange {
  const known = exchanges.get(request);
  if (known) return known;
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished)
      left.abort(new HelixError('ENGINE.CANCELLED', 'The caller went away before the work was done.'));
  });
  const id = currentRequestId() ?? 'unnamed';
  const exchange = new Exchange({ id, signal: left.signal });
  exchange.workflowId = API;
  exchanges.set(request, exchange);
  return exchange;
}
