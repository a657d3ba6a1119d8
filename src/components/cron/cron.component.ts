import { Component, type Consumer, type Endpoint, type Route } from '../../common/engine/api/component.js';
import { readOptions, text } from '../../common/engine/api/options.js';
import type { Clock, Log } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { systemCaller } from '../../common/engine/model/caller.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { nextTime } from './next-time.js';
import { parseSchedule } from './schedule.js';
import { wallClock } from './wall-clock.js';

const cronOptions = {
  schedule: {
    ...text('Five fields (minute, hour, day of month, month, weekday), or six with the second first.', ''),
    required: true,
  },
  'time-zone': text('Time zone of the schedule, e.g. Europe/Berlin.', 'UTC'),
};

/**
 * `cron://name?schedule=…`: starts a workflow by the calendar. Runs never overlap: a time that comes while the last run
 * is still on its way is skipped, and the log says so.
 */
export class CronComponent extends Component {
  readonly scheme = 'cron';
  readonly description = 'Starts a workflow at the times of a cron schedule.';
  readonly options = cronOptions;

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  endpoint(uri: EndpointUri): Endpoint {
    const options = readOptions(uri, cronOptions);
    const name = uri.path;
    if (name === '')
      throw new HelixError('WORKSPACE.INVALID', 'cron:// needs a name: write cron://name?schedule=….');
    const schedule = parseSchedule(options.schedule);
    const wall = wallClock(options['time-zone']);
    const next = (after: number): number | null => nextTime(schedule, wall, after);
    return { uri, edge: true, consumer: (route) => this.#consumer(name, route, next) };
  }

  #consumer(name: string, route: Route, next: (after: number) => number | null): Consumer {
    const { clock, log } = this;
    let unschedule: (() => void) | null = null;
    let isRunning = false;
    const run = async (due: number): Promise<void> => {
      isRunning = true;
      await route.run(
        route.exchange({
          pattern: 'InOnly',
          caller: systemCaller,
          headers: { HelixCronName: name, HelixCronFiredAt: due },
        }),
      );
      isRunning = false;
    };
    const arm = (due: number | null): void => {
      if (due === null) return;
      unschedule = clock.schedule(Math.max(due - clock.now(), 0), () => {
        // A clock that was set back, or a timer that rings early, fires nothing twice.
        if (clock.now() < due) return arm(due);
        arm(next(Math.max(clock.now(), due)));
        // Beside another version of the workflow only one of both fires.
        if (!route.serves(null)) return;
        if (isRunning) log.write('warn', `cron://${name} is skipped: its last run is still on its way`);
        else void run(due);
      });
    };
    return {
      start: async () => arm(next(clock.now())),
      stop: async () => {
        unschedule?.();
        unschedule = null;
      },
    };
  }
}
