export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of this process as it is: the one reader of `process.env`. Apart from `readEnvironment`, whose
 * validation takes longer to load than most commands to run.
 */
export function processEnvironment(): Environment {
  return process.env;
}
