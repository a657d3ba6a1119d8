import { Component, type Consumer, type Endpoint, type Route } from '../../common/engine/api/component.js';
import { duration, integer, readOptions, type OptionValues } from '../../common/engine/api/options.js';
import type { Clock } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { systemCaller } from '../../common/engine/model/caller.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';

const timerOptions = {
  period: duration(
    'Time from one beginning to the next. A run that takes longer makes the next one later.',
    1000,
  ),
  delay: duration('Time from the start of the workflow to the first run.', 1000),
  'repeat-count': integer('How many runs there are; 0 means without end.', 0, { minimum: 0 }),
};

/**
 * `timer://name`: starts a workflow again and again. Runs never overlap: what falls due during a run is skipped, and the
 * beat stays where it was.
 */
export class TimerComponent extends Component {
  readonly scheme = 'timer';
  readonly description = 'Starts a workflow at a fixed interval.';
  readonly options = timerOptions;

  constructor(private readonly clock: Clock) {
    super();
  }

  endpoint(uri: EndpointUri): Endpoint {
    const options = readOptions(uri, timerOptions);
    const name = uri.path;
    if (name === '') throw new HelixError('WORKSPACE.INVALID', 'timer:// needs a name: write timer://name.');
    if (options.period < 1) {
      throw new HelixError('WORKSPACE.WRONG_OPTION', 'The option "period" must be at least 1ms.', {
        details: { option: 'period' },
      });
    }
    return { uri, edge: true, comesAgain: true, consumer: (route) => beat(name, route, this.clock, options) };
  }
}

function beat(
  name: string,
  route: Route,
  clock: Clock,
  { period, delay, 'repeat-count': last }: OptionValues<typeof timerOptions>,
): Consumer {
  let unschedule: (() => void) | null = null;
  let isOn = false;
  let count = 0;
  const at = (due: number): void => {
    unschedule = clock.schedule(Math.max(due - clock.now(), 0), () => void run(due));
  };
  const run = async (due: number): Promise<void> => {
    unschedule = null;
    count++;
    const exchange = route.exchange({
      pattern: 'InOnly',
      caller: systemCaller,
      headers: { HelixTimerName: name, HelixTimerCount: count, HelixTimerFiredAt: clock.now() },
    });
    await route.run(exchange);
    if (!isOn || (last > 0 && count >= last)) return;
    const missed = Math.floor((clock.now() - due) / period);
    at(due + (missed + 1) * period);
  };
  return {
    start: async () => {
      isOn = true;
      count = 0;
      at(clock.now() + delay);
    },
    stop: async () => {
      isOn = false;
      unschedule?.();
      unschedule = null;
    },
  };
}
